"""The steps that bring a database from any older Danlu to this one."""
