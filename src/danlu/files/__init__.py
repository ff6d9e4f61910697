"""What people and programs write: the job file, settings, state files, and how their mistakes are told."""
