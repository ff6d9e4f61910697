"""One task of an attempt: what is wanted against what is seen."""
