"""A large organisation: thousands of people and nodes, a long queue, months of history, and what asking costs."""
