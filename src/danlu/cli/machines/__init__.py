"""Commands about nodes, clusters and maintenance."""
