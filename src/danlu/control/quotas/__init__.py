"""How much people may hold and spend."""
