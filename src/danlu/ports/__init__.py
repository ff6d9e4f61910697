"""What the control plane needs of the outside, as small Protocols."""
