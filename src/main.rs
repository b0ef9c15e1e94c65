//! Turns arguments into a call and an outcome into an exit status.

fn main() {}
