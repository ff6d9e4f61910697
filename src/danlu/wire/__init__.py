"""What crosses the network: requests and responses."""
