//! The binary: [`nearprint_cli::run`] on the arguments of the process.

#[cfg(target_os = "linux")]
mod closed_stdout;

fn main() -> std::process::ExitCode {
    nearprint_cli::run(std::env::args_os()).into()
}
