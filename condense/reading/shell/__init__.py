"""Parse shell commands: what they read, write and run."""

from condense.reading.shell.commands_table import Purpose, opens_shell, purpose_of, without_prefix
from condense.reading.shell.effects_walker import Effect
from condense.reading.shell.reading import ShellReading, ends_in_search, is_powershell, looks_only, read_shell
