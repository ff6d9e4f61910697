"""The controller's loop, and what runs beside it."""
