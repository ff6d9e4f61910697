"""Commands about jobs: creating, running and inspecting them."""
