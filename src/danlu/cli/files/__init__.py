"""Files of volumes: looked at, changed, sent and fetched."""
