"""Where files are copied from and to: each kind of place in a module of its own."""
