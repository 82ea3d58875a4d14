//! The binary: [`nearprint_cli::run`] on the arguments of the process.

fn main() -> std::process::ExitCode {
    nearprint_cli::run(std::env::args_os()).into()
}
