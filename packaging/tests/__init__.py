"""The parts of `scripts/test-release`: a file for each way to install."""
