"""Commands about the queue: who waits where, in which order, and why."""
