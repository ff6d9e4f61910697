"""The files of volumes on Danlu's own machine."""
