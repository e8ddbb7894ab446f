"""Find secrets in text and values, and take them out."""
