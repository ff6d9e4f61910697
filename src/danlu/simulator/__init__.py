"""What would happen: the scheduler on states that are written down instead of observed."""
