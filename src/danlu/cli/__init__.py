"""The command line: commands over the SDK."""
