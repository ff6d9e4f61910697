"""The server itself: version, health, schemas."""
