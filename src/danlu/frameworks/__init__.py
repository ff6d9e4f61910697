"""What each framework's tasks need: one small file per framework, and plugins."""
