"""Current and past use of resources."""
