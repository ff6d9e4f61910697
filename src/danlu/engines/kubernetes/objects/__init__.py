"""The objects that Danlu makes in a cluster, and how they are named."""
