"""A session of our own: a person, an agent, its tool calls; long enough to be compacted."""

from __future__ import annotations

from typing import Any

RULE = "Never push to main."
PORT = "Use port 4711 for the API."
ASK = "Now write the changelog entry for version 2.3.1 and keep it under 20 words."

GOOD = f"""### Goal and latest request
The uploader gets retries; latest: "{ASK}"
### Rules of the user
- {RULE}
- {PORT}
### State of the work
Retries in `src/upload/client.py` are written, `pytest tests/test_3.py -q` passes.
### Next step
Write the changelog entry.
"""


def story(steps: int = 12, *, chinese: bool = False) -> list[dict[str, Any]]:
    first = f"{RULE} {PORT} Please add retries to the uploader in src/upload/client.py."
    last = ASK
    if chinese:
        first = "绝对不要推送到 main 分支。接口端口必须用 4711。请给 src/upload/client.py 里的上传器加上重试。"
        last = "现在请写 2.3.1 版本的更新日志，控制在二十个字以内。"
    out: list[dict[str, Any]] = [{"role": "user", "content": first}]
    for i in range(steps):
        call = {
            "type": "tool_use",
            "id": f"t{i}",
            "name": "Bash",
            "input": {"command": f"pytest tests/test_{i}.py -q"},
        }
        out.append({"role": "assistant", "content": [{"type": "text", "text": f"Step {i} of the retries."}, call]})
        lines = "\n".join(f"line {j} of output {i}: value_{j}_{i}" for j in range(40))
        out.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{i}", "content": lines}]})
    out += [{"role": "assistant", "content": "The retries are done."}, {"role": "user", "content": last}]
    return out
