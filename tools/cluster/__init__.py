"""A real Kubernetes on one Debian machine: its own network, two nodes with pretended GPUs, no registry."""
