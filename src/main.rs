//! Calls the library and ends with its exit status.

fn main() {
    std::process::exit(eval_ls::run());
}
