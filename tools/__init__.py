"""What builds, checks and tests this repository; the standard library only."""
