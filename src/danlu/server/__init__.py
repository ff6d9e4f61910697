"""HTTP: routes, authentication, live streams and the console's files."""
