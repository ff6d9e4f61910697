"""What crosses the network: the job file, requests, responses and settings."""
