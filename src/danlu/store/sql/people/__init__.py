"""People and how they prove who they are."""
