"""Results of jobs in `results/` of the data directory: kept at the end of an attempt, removed by age and size."""
