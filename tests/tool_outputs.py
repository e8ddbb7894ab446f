"""Outputs of tools as they look in practice, written for these tests."""

from __future__ import annotations

import json

PYTEST = "\n".join(
    [
        "============================= test session starts ==============================",
        "platform linux -- Python 3.11.7, pytest-8.2.1, pluggy-1.5.0",
        "rootdir: /srv/shop",
        "configfile: pyproject.toml",
        "collected 214 items",
        "",
        *(
            f"tests/unit/test_module_{i:02}.py ..........                              [{i * 4:3}%]"
            for i in range(20)
        ),
        "tests/unit/test_cart.py ....F...                                         [ 88%]",
        "tests/unit/test_tax.py ..F.                                              [100%]",
        "",
        "=================================== FAILURES ===================================",
        "_________________________ test_discount_is_capped ______________________________",
        "",
        "    def test_discount_is_capped():",
        "        cart = Cart(items=[Item('book', 40)])",
        ">       assert cart.total(discount=0.9) == 20",
        "E       assert 4.0 == 20",
        "E        +  where 4.0 = total(discount=0.9)",
        "",
        "tests/unit/test_cart.py:57: AssertionError",
        "_____________________________ test_rounding[EUR] _______________________________",
        "",
        "currency = 'EUR'",
        "",
        "    def test_rounding(currency):",
        ">       assert tax(Decimal('10.05'), currency) == Decimal('1.91')",
        "E       decimal.InvalidOperation: [<class 'decimal.ConversionSyntax'>]",
        "",
        "src/shop/tax.py:31: InvalidOperation",
        "=========================== short test summary info ============================",
        "FAILED tests/unit/test_cart.py::test_discount_is_capped - assert 4.0 == 20",
        "FAILED tests/unit/test_tax.py::test_rounding[EUR] - decimal.InvalidOperation",
        "=================== 2 failed, 211 passed, 1 skipped in 6.34s ===================",
    ]
)

JEST = "\n".join(
    [
        *(f"PASS src/widgets/widget{i}.test.tsx" for i in range(30)),
        "FAIL src/cart/total.test.ts",
        "  ● total › applies the coupon once",
        "",
        "    expect(received).toBe(expected) // Object.is equality",
        "",
        "    Expected: 90",
        "    Received: 81",
        "",
        "      14 |   it('applies the coupon once', () => {",
        "    > 15 |     expect(total(100, ['TEN', 'TEN'])).toBe(90);",
        "         |                                        ^",
        "",
        "      at Object.<anonymous> (src/cart/total.test.ts:15:40)",
        "",
        "Test Suites: 1 failed, 30 passed, 31 total",
        "Tests:       1 failed, 142 passed, 143 total",
        "Snapshots:   0 total",
        "Time:        4.221 s",
    ]
)

CARGO = "\n".join(
    [
        *(f"   Compiling crate-{i} v0.{i}.1" for i in range(40)),
        "   Compiling ledger v0.3.0 (/srv/ledger)",
        "    Finished `test` profile [unoptimized + debuginfo] target(s) in 12.04s",
        "     Running unittests src/lib.rs (target/debug/deps/ledger-5d2c)",
        "",
        "running 3 tests",
        "test book::tests::opens ... ok",
        "test book::tests::closes ... FAILED",
        "test book::tests::sums ... ok",
        "",
        "failures:",
        "",
        "---- book::tests::closes stdout ----",
        "thread 'book::tests::closes' panicked at src/book.rs:88:9:",
        "assertion `left == right` failed",
        "  left: 3",
        " right: 4",
        "",
        "failures:",
        "    book::tests::closes",
        "",
        "test result: FAILED. 2 passed; 1 failed; 0 ignored; finished in 0.02s",
        "",
        "error: test failed, to rerun pass `--lib`",
    ]
)

GO = """\
ok  \texample.org/shop/api\t0.021s
--- FAIL: TestRefund (0.00s)
    refund_test.go:41: refund(12) = 11, want 12
FAIL
FAIL\texample.org/shop/refund\t0.013s
ok  \texample.org/shop/stock\t(cached)
FAIL"""

RUSTC = "\n".join(
    [
        *(f"   Compiling dep-{i} v1.0.{i}" for i in range(60)),
        "warning: unused variable: `n`",
        "  --> src/main.rs:7:9",
        "   |",
        " 7 |     let n = 3;",
        "   |         ^ help: if this is intentional, prefix it with an underscore: `_n`",
        "",
        "error[E0308]: mismatched types",
        "  --> src/book.rs:21:18",
        "   |",
        '21 |     let id: u64 = "seven";',
        "   |             ---   ^^^^^^^ expected `u64`, found `&str`",
        "",
        "error: aborting due to 1 previous error; 1 warning emitted",
        'error: could not compile `ledger` (bin "ledger") due to 1 previous error',
    ]
)

NPM = "\n".join(
    [
        *(f"npm http fetch GET 200 registry/pkg-{i} {i}ms (cache hit)" for i in range(80)),
        "npm warn deprecated inflight@1.0.6: This module is not supported",
        "npm ERR! code ERESOLVE",
        "npm ERR! ERESOLVE unable to resolve dependency tree",
        "npm ERR! Found: react@19.1.0",
        'npm ERR! peer react@"^18.0.0" from react-beautiful@4.0.2',
        "npm ERR! A complete log of this run can be found in: debug-0.log",
    ]
)

MAKE = "\n".join(
    [
        *(f"cc -O2 -Wall -c -o obj/unit{i}.o src/unit{i}.c" for i in range(70)),
        "src/parse.c: In function 'next_token':",
        "src/parse.c:112:17: error: 'struct token' has no member named 'kind'",
        "  112 |     return tok->kind;",
        "      |               ^~",
        "make[1]: *** [Makefile:34: obj/parse.o] Error 1",
        "make: *** [Makefile:12: all] Error 2",
    ]
)

DOCKER = "\n".join(
    [
        "#1 [internal] load build definition from Dockerfile",
        "#1 transferring dockerfile: 812B done",
        "#1 DONE 0.0s",
        *(f"#4 sha256:{i:064x} {i}.1MB / 31.4MB 0.{i}s" for i in range(60)),
        "#7 [3/6] RUN pip install -r requirements.txt",
        *(f"#7 {i}.2 Collecting package-{i}" for i in range(40)),
        "#7 9.91 ERROR: No matching distribution found for left-pad==9.9",
        '#7 ERROR: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1',
        'ERROR: failed to solve: process "/bin/sh -c pip install" did not complete successfully: exit code: 1',
    ]
)

TRACEBACK = "\n".join(
    [
        "INFO starting worker 4",
        *(f"INFO handled job {i} in {i * 3} ms" for i in range(120)),
        "Traceback (most recent call last):",
        '  File "/srv/app/worker.py", line 88, in run',
        "    self.handle(job)",
        '  File "/usr/lib/python3.11/site-packages/retry/api.py", line 12, in wrapper',
        "    return call(fn)",
        '  File "/srv/app/jobs.py", line 31, in handle',
        '    price = catalogue["price"]',
        "KeyError: 'price'",
        *(f"INFO handled job {i} in {i * 3} ms" for i in range(200, 240)),
    ]
)

JAVA_TRACE = "\n".join(
    [
        *(f"2026-03-04 10:00:{i % 60:02}.120  INFO 7 --- [main] org.acme.Boot : bean {i} ready" for i in range(80)),
        'Exception in thread "main" java.lang.IllegalStateException: no data source',
        "\tat org.acme.Store.open(Store.java:44)",
        "\tat org.acme.Boot.start(Boot.java:19)",
        *(f"\tat java.base/jdk.internal.reflect.Method.invoke(Method.java:{i})" for i in range(30)),
        "Caused by: java.net.ConnectException: Connection refused",
        "\tat org.acme.Pool.connect(Pool.java:71)",
        "\t... 31 more",
    ]
)

NODE_TRACE = "\n".join(
    [
        *(f"GET /api/items/{i} 200 {i}ms" for i in range(90)),
        "TypeError: Cannot read properties of undefined (reading 'map')",
        "    at renderList (/srv/web/src/list.js:12:22)",
        "    at Object.render (/srv/web/node_modules/lib/index.js:400:11)",
        "    at node:internal/process/task_queues:95:5",
    ]
)

GREP = "\n".join(
    [
        *(f"src/billing/invoice.py:{i * 7}:    total = compute_total(row)" for i in range(1, 60)),
        "src/billing/rules.py:12:def compute_total(row):",
        "src/api/views.py:40:    from billing.rules import compute_total",
        *(f"node_modules/x/dist/bundle.min.js:{i}:compute_total" for i in range(40)),
    ]
)

LISTING = "\n".join(
    [
        ".:",
        "total 64",
        "drwxr-xr-x  4 me me 4096 Mar  4 10:00 src",
        "drwxr-xr-x  2 me me 4096 Mar  4 10:00 tests",
        "-rw-r--r--  1 me me  812 Mar  4 10:00 Makefile",
        "",
        "./src:",
        *(f"-rw-r--r--  1 me me  {i * 11:4} Mar  4 10:00 part_{i}.py" for i in range(60)),
        "",
        "./node_modules/left-pad/dist:",
        *(f"-rw-r--r--  1 me me  {i * 11:4} Mar  4 10:00 node_modules/chunk_{i}.js" for i in range(40)),
        "",
        "14 directories, 103 files",
    ]
)

DIFF = "\n".join(
    [
        "diff --git a/src/tax.py b/src/tax.py",
        "index 1c2d3e4..5f6a7b8 100644",
        "--- a/src/tax.py",
        "+++ b/src/tax.py",
        "@@ -1,40 +1,41 @@ def tax(amount):",
        *(f"     line_{i} = {i}" for i in range(38)),
        "-    return amount * 0.19",
        "+    rate = RATES[country]",
        "+    return amount * rate",
        "diff --git a/package-lock.json b/package-lock.json",
        "--- a/package-lock.json",
        "+++ b/package-lock.json",
        "@@ -1,60 +1,60 @@",
        *(f'+      "resolved": "pkg-{i}-1.0.{i}.tgz",' for i in range(60)),
        " 2 files changed, 63 insertions(+), 1 deletion(-)",
    ]
)

GIT_LOG = "\n".join(
    line
    for i in range(40)
    for line in (
        f"commit {i:040x}",
        "Author: Ann Example <ann@example.org>",
        f"Date:   Mon Mar {i % 28 + 1} 10:00:00 2026 +0000",
        "",
        f"    Step {i}: teach the parser about case {i}",
        "",
    )
)

JSON_PRETTY = json.dumps(
    {
        "status": "partial",
        "error": {"code": 4042, "message": "warehouse 7 is closed"},
        "items": [{"id": i, "sku": f"SKU-{i:05}", "shelf": {"row": i % 9, "bin": i % 17}} for i in range(120)],
        "total": 120,
    },
    indent=2,
)

JSON_LINE = json.dumps(
    {
        "status": "ok",
        "items": [{"id": i, "name": f"thing {i}", "tags": ["a", "b"]} for i in range(900)],
        "total": 900,
    }
)

TABLE = "\n".join(
    [
        "| region | orders | revenue |",
        "|--------|--------|---------|",
        *(f"| region-{i} | {i * 13} | {i * 991} |" for i in range(120)),
        "| total | 92820 | 7076640 |",
    ]
)

HTML = "\n".join(
    [
        "<!DOCTYPE html>",
        "<html>",
        "<head>",
        "<title>Stock by warehouse</title>",
        "<style>",
        *(f".c{i} {{ margin: {i}px; }}" for i in range(80)),
        "</style>",
        "</head>",
        "<body>",
        "<h1>Warehouse seven</h1>",
        *("<div>\n</div>" for _ in range(40)),
        "<p>The warehouse is closed for stocktaking until Monday.</p>",
        '<a href="/warehouses/8">the next one</a>',
        "</body>",
        "</html>",
    ]
)

CHINESE_LOG = "\n".join(
    [
        *(f"2026-03-04 10:00:{i % 60:02} [信息] 任务 {i} 已处理，用时 {i * 3} 毫秒" for i in range(90)),
        "2026-03-04 10:02:11 [错误] 无法连接数据库：连接超时（主机 db-2，端口 5432）",
        *(f"2026-03-04 10:03:{i % 60:02} [信息] 任务 {i} 已处理，用时 {i * 3} 毫秒" for i in range(90, 130)),
        "2026-03-04 10:04:00 [警告] 重试 3 次后放弃",
        "共 131 个任务，失败 1 个",
    ]
)

SOURCE = "\n".join(
    [
        '"""Totals of carts."""',
        "",
        "from decimal import Decimal",
        "",
        "MAX_DISCOUNT = Decimal('0.5')",
        "",
        *(
            line
            for i in range(30)
            for line in (
                f"def step_{i}(cart):",
                f'    """Apply step {i}."""',
                "    # nothing to see here",
                "    value = cart.total",
                "    if value > 0:",
                "        value = value - 1",
                "    return value",
                "",
            )
        ),
    ]
)

CODEX_WRAPPED = json.dumps(
    {"output": TRACEBACK + "\n", "metadata": {"exit_code": 1, "duration_seconds": 0.4}},
    separators=(",", ":"),
    ensure_ascii=False,
)

CODEX_HEADED = (
    "Chunk ID: 5be120\nWall time: 0.2 seconds\nProcess exited with code 2\nOriginal token count: 900\nOutput:\n"
    + MAKE
)

ALL = {
    name: value
    for name, value in list(globals().items())
    if name.isupper() and isinstance(value, str) and name not in ("ALL", "GO")
}
"""Every output above that is long enough to be reduced, by name."""
