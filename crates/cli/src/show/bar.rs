//! The terminal while a job runs: the progress bar, which looks at the job's counters from a thread
//! of its own, a word where the job will be long, and Ctrl-C. The bar is shown on a terminal only.

use crate::show::figures::count;
use crate::usage::say;
use indicatif::{ProgressBar, ProgressStyle};
use nearprint_dedup::{Progress, Stage};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Documents that an exact join looks at for each, above which that is worth a word.
const MANY: u64 = 10_000;

/// Lets the first Ctrl-C end the job that moves `progress` in order, the second at once.
pub(crate) fn heed_ctrl_c(progress: &Arc<Progress>) {
    let watched = Arc::clone(progress);
    let _already_set = ctrlc::set_handler(move || {
        if watched.is_cancelled() {
            std::process::exit(130);
        }
        watched.cancel();
    });
}

/// A bar that follows a job until it is dropped.
pub(crate) struct Bar(Option<(Sender<()>, JoinHandle<()>)>);

impl Bar {
    /// Shows the progress over `total` bytes of input, unless quiet or not at a terminal.
    pub(crate) fn show(progress: &Arc<Progress>, total: Option<u64>, quiet: bool) -> Self {
        heed_ctrl_c(progress);
        if quiet {
            return Self(None);
        }
        let bar = ProgressBar::new(0);
        let progress = Arc::clone(progress);
        let (stop, stopped) = channel();
        let thread = thread::spawn(move || {
            let (mut shown, mut warned) = (None, false);
            while stopped.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout)
            {
                let stage = progress.stage();
                if shown != Some(stage) {
                    shown = Some(stage);
                    bar.reset();
                    bar.set_style(style(stage, total));
                    bar.set_length(total.unwrap_or(0));
                }
                if progress.looks() > MANY && !warned {
                    warned = true;
                    bar.suspend(|| say(&long_join(progress.looks())));
                }
                bar.set_message(format!("{} documents", progress.documents()));
                bar.set_position(progress.bytes());
            }
            bar.finish_and_clear();
        });
        Self(Some((stop, thread)))
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.0.take() {
            drop(stop);
            // A bar that panicked is no reason to fail.
            let _joined = thread.join();
        }
    }
}

/// What is said of an exact join that looks at so many documents for each.
fn long_join(looks: u64) -> String {
    format!(
        "the exact join looks at up to {} documents for each, as many share even their rarest features: it \
         will be long; --similarity with --recall 0.999 takes a fraction of the time",
        count(looks)
    )
}

fn style(stage: Stage, total: Option<u64>) -> ProgressStyle {
    let template = match (stage, total) {
        (Stage::Join, _) => "{spinner} looking for near-duplicates {elapsed}",
        (Stage::Prefixes, Some(_)) => {
            "reading rare features {bar:30} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left"
        }
        (Stage::Fingerprint, Some(_)) => {
            "reading {bar:30} {bytes}/{total_bytes} {bytes_per_sec}, {msg}, {eta} left"
        }
        (Stage::Verify, Some(_)) => {
            "verifying {bar:30} {bytes}/{total_bytes} {bytes_per_sec}, {msg}, {eta} left"
        }
        (Stage::Overview, Some(_)) => {
            "reading for the report {bar:30} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left"
        }
        (Stage::Segment, _) => "{spinner} writing the segment {bytes} {elapsed}",
        (Stage::Write, Some(_)) => {
            "writing {bar:30} {bytes}/{total_bytes} {bytes_per_sec}, {msg}, {eta} left"
        }
        (_, None) => "{spinner} {bytes} {bytes_per_sec}, {msg}, {elapsed}",
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
