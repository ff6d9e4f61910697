"""Projects: members and requests."""
