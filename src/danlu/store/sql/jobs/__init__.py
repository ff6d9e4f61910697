"""Jobs, attempts and what they hold."""
