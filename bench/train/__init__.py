"""What `./dev bench training` runs."""
