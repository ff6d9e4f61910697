"""Projects: members, and what people ask of them."""
