"""What the control plane needs from the outside, as small Protocols."""
