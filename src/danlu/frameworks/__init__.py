"""What each framework expects of its tasks: one small file each, and those that others bring along."""
