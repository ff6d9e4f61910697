"""What is sent along with a job: its file and its folder of code."""
