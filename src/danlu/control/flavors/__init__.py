"""Which sizes are on offer, to whom and when."""
