"""Who belongs to a project, and what people ask of it."""
