"""Pictures of every page of the console: both themes, both languages, empty and full, narrow and wide."""
