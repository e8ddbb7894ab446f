"""The trail of files, commands, tests, errors and plans over a history."""
