"""Stand-ins and builders for tests."""
