"""Save a session in a process of its own: `python -m condense.apps.hooks TRANSCRIPT SESSION FOLDER`."""

from __future__ import annotations

import sys

from condense.apps.hooks.texts import keep_failure, saved


def main() -> int:
    """Save; whatever goes wrong is kept where `holdfast install status` shows it."""
    transcript, session, folder = sys.argv[1:]
    try:
        from condense.apps.hooks.saving import save_session

        save_session(transcript, session, folder)
    except Exception as error:  # noqa: BLE001  # nobody waits for this process
        keep_failure("save", error)
        return 1
    finally:
        saved(session)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
