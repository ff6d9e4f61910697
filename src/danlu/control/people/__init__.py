"""Who is who, what they may do, and how they sign in."""
