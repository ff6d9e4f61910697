"""Claims that Danlu makes for volumes and personal directories."""
