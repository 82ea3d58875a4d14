//! The binary: [`nearprint_cli::run`] on the arguments of the process.

#[cfg(target_os = "linux")]
mod closed_stdout;

use nearprint_index::LargePages;

#[cfg(not(target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: LargePages<std::alloc::System> = LargePages(std::alloc::System);

/// That of musl makes threads wait for each other.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: LargePages<mimalloc::MiMalloc> = LargePages(mimalloc::MiMalloc);

fn main() -> std::process::ExitCode {
    nearprint_cli::run(std::env::args_os()).into()
}
