"""What is and was held and used."""
