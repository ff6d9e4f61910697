"""The streams of events: SSE for scripts, one socket for each console."""
