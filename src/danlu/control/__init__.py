"""The use cases: what people and time make happen to jobs."""
