"""The loop that brings what is in line with what was asked, and what goes on beside it."""
