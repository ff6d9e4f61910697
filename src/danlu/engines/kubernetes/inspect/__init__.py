"""What a cluster lacks."""
