"""Moving data in and out, and keeping it."""
