"""Switch holdfast on in an agent, and off again. An edge, behind extra `cli` (Codex: `install`)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.install.claude_code import ClaudeCode
    from condense.apps.install.codex import APPROVE, Codex
    from condense.apps.install.files import InstallError
    from condense.apps.install.overview import installation
    from condense.apps.install.proxy_start import listener, proxy_status, started_ports
    from condense.apps.install.records import Installed, installed
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "claude_code": "ClaudeCode",
            "codex": "APPROVE Codex",
            "files": "InstallError",
            "overview": "installation",
            "proxy_start": "listener proxy_status started_ports",
            "records": "Installed installed",
        },
    )
