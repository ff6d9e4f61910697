"""What is and was held, used and wanted."""
