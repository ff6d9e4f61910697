"""The commands behind `./dev`, one module each."""
