"""Event streams: server-sent events for scripts, one WebSocket for each console."""
