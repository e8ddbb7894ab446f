"""Text features: identifiers, paths, line numbers, ANSI codes, obligations."""

from condense.reading.text.definitions import names_in_file
from condense.reading.text.paths import (
    GLOB,
    base_name,
    ends_with_path,
    home_path,
    is_absolute,
    is_windows,
    join_path,
    normal_path,
)
from condense.reading.text.shown_text import without_codes
