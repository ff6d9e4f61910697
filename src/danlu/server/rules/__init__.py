"""What administrators rule with: subjects of one shape."""
