"""The queue, scores, and why a job waits."""
