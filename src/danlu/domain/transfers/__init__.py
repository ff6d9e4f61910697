"""Transfers: data on its way between a place outside and a volume, or between volumes."""
