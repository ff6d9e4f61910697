"""What tasks print, followed into files."""
