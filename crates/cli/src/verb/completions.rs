//! `nearprint completions`: a script for the shell.

use crate::usage::print;
use clap::Command;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "Examples:
  nearprint completions bash > ~/.local/share/bash-completion/completions/nearprint
  nearprint completions zsh > ~/.zfunc/_nearprint
  nearprint completions fish > ~/.config/fish/completions/nearprint.fish";

pub(crate) fn run(args: &Args, command: &mut Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "nearprint", &mut script);
    print(&String::from_utf8_lossy(&script))
}
