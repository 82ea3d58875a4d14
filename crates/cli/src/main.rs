//! The binary: [`nearprint_cli::run`] on the arguments of the process.

#[cfg(target_os = "linux")]
mod closed_stdout;

/// That of musl makes threads wait for each other.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    nearprint_cli::run(std::env::args_os()).into()
}
