"""What people and programs write: job files, settings, state files, and how errors in them are reported."""
