"""Everything between the network and a route: reading requests, identifying callers, refusals and answers."""
