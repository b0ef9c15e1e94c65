"""The parts of `scripts/release`: a file for each kind of asset."""
