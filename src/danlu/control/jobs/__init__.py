"""What people do with jobs, and what is refused at the door."""
