"""What a cluster has, kept up to date."""
