//! The `twiceshy` program: everything it does is in the library.

fn main() -> std::process::ExitCode {
    twiceshy::cli::main()
}
