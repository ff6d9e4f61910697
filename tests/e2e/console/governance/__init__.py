"""People, projects, flavors, machines, quotas and the audit log, governed in a browser."""
