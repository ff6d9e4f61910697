"""What is between the network and a route: reading, refusing, who asks, answers in general."""
