"""What `./dev test` is made of: tiers, what they need, two lanes to run them in, and how they went."""
