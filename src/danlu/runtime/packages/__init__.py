"""A task's own packages: installed once as its person, inside its own sandbox, before its command runs."""
