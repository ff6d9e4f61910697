"""What transfers do: a process for each, which reads at one end and writes at the other."""
