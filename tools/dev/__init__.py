"""The habits behind `./dev`, one module each."""
