"""What `./dev bench data` is made of."""
