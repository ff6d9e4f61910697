"""Stand-ins of public sets: made here, the same every time, in the form of the originals."""
