"""Commands about jobs: making, running and looking at them."""
