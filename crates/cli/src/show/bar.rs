//! How far a job is, told from a thread of its own that looks at the job's counters: a bar on a terminal, a
//! line a minute elsewhere, and a word where the job will be long.

use crate::show::figures::{about, bytes, count, count_of, duration};
use crate::signals::heed;
use crate::usage::say;
use indicatif::{ProgressBar, ProgressStyle};
use nearprint_dedup::{Progress, Stage};
use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often the counters are looked at.
const LOOK: Duration = Duration::from_millis(100);
/// How often a line is written where there is no terminal.
const MINUTE: Duration = Duration::from_secs(60);
/// Places of a bar that shows a share.
const PLACES: f64 = 10_000.0;
/// Documents that an exact join looks at for each, above which that is worth a word.
const MANY: u64 = 10_000;

/// Tells how far a job is until it is dropped.
pub(crate) struct Bar(Option<(Sender<()>, JoinHandle<()>)>);

impl Bar {
    /// Shows the progress over `total` bytes of input, unless quiet. Asks the job to end when a signal comes.
    pub(crate) fn show(progress: &Arc<Progress>, total: Option<u64>, quiet: bool) -> Self {
        heed(progress);
        Self::follow(progress, total, quiet)
    }

    /// Shows the progress over `total` bytes of input, unless quiet.
    pub(crate) fn follow(progress: &Arc<Progress>, total: Option<u64>, quiet: bool) -> Self {
        if quiet {
            return Self(None);
        }
        let progress = Arc::clone(progress);
        let (stop, stopped) = channel();
        let thread = thread::spawn(move || {
            let told = Told::of(&progress, total);
            if stderr().is_terminal() {
                draw(&progress, told, &stopped);
            } else {
                write_lines(told, MINUTE, &stopped, say);
            }
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

/// What is told of a job: the stage, its share, and since when that is known.
struct Told<'a> {
    progress: &'a Progress,
    total: Option<u64>,
    stage: Stage,
    share: Option<f64>,
    since: Instant,
}

impl<'a> Told<'a> {
    fn of(progress: &'a Progress, total: Option<u64>) -> Self {
        let (stage, share) = (progress.stage(), progress.share(total));
        Self { progress, total, stage, share, since: Instant::now() }
    }

    /// Looks again; whether another stage has begun, or another way to tell of it.
    fn look(&mut self) -> bool {
        let now = Self::of(self.progress, self.total);
        let is_new = now.stage != self.stage || now.share.is_some() != self.share.is_some();
        let since = if is_new { now.since } else { self.since };
        *self = Self { since, ..now };
        is_new
    }

    /// The line that says it.
    fn line(&self) -> String {
        let (name, elapsed) = (name(self.stage), self.since.elapsed().as_secs_f64());
        match self.share {
            Some(share) if share > 0.0 => {
                let left = about(elapsed * (1.0 - share) / share);
                format!("{name}: {:.0} %, {left} left", (100.0 * share).floor())
            }
            Some(_) => format!("{name}: 0 %"),
            None if is_reading(self.stage) => {
                let (read, documents) = (self.progress.bytes(), self.progress.documents());
                format!("{name}: {}, {}", bytes(read), count_of(documents, "document"))
            }
            None => format!("{name} for {}", duration(elapsed)),
        }
    }
}

/// Writes a line to `tell` each time that `every` is over, until nobody can stop it any more.
fn write_lines(
    mut told: Told<'_>,
    every: Duration,
    stopped: &Receiver<()>,
    mut tell: impl FnMut(&str),
) {
    let (mut last, mut warned) = (Instant::now(), false);
    while stopped.recv_timeout(LOOK.min(every)) == Err(RecvTimeoutError::Timeout) {
        told.look();
        if told.progress.looks() > MANY && !warned {
            warned = true;
            tell(&long_join(told.progress.looks()));
        }
        if last.elapsed() >= every {
            last = Instant::now();
            tell(&told.line());
        }
    }
}

/// Draws a bar on the terminal until nobody can stop it any more.
fn draw(progress: &Progress, mut told: Told<'_>, stopped: &Receiver<()>) {
    let bar = ProgressBar::new(0);
    let (mut is_new, mut warned) = (true, false);
    while stopped.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        is_new |= told.look();
        let in_bytes = is_reading(told.stage);
        if is_new {
            is_new = false;
            bar.reset();
            bar.set_style(style(told.stage, told.share.is_some()));
        }
        if progress.looks() > MANY && !warned {
            warned = true;
            bar.suspend(|| say(&long_join(progress.looks())));
        }
        bar.set_length(if in_bytes { told.total.unwrap_or(0) } else { places(1.0) });
        bar.set_message(count_of(progress.documents(), "document"));
        bar.set_position(if in_bytes {
            progress.bytes()
        } else {
            places(told.share.unwrap_or(0.0))
        });
    }
    bar.finish_and_clear();
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of the places"
)]
fn places(share: f64) -> u64 {
    (share * PLACES).round() as u64
}

/// What is said of an exact join that looks at so many documents for each.
fn long_join(looks: u64) -> String {
    format!(
        "the exact join compares each document with up to {} others, because many share even their rarest \
         features: it will take long; --similarity with --recall 0.999 takes a fraction of the time",
        count(looks)
    )
}

/// What a stage is called.
fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Fingerprint => "reading",
        Stage::Prefixes => "reading rare features",
        Stage::Join => "joining",
        Stage::Verify => "reading candidates",
        Stage::Compare => "verifying",
        Stage::Overview => "reading for the report",
        Stage::Segment => "writing the segment",
        Stage::Write => "writing",
        Stage::Anchors => "reading",
        Stage::Windows => "reading what may repeat",
        Stage::Lend => "reading first copies",
        Stage::Cut => "comparing copies",
        Stage::Items => "reading the eval sets",
        Stage::Sample => "weighing words",
        Stage::Look => "looking for the items",
        Stage::Count => "counting tokens",
    }
}

/// Whether a stage counts bytes of input.
fn is_reading(stage: Stage) -> bool {
    !matches!(stage, Stage::Join | Stage::Compare)
}

fn style(stage: Stage, has_share: bool) -> ProgressStyle {
    const READ: &str =
        "{decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec}, {msg}, {eta} left";
    let name = name(stage);
    let template = match (is_reading(stage), has_share) {
        (true, true) => format!("{name} {{bar:30}} {READ}"),
        (true, false) => {
            format!(
                "{{spinner}} {name} {{decimal_bytes}} {{decimal_bytes_per_sec}}, {{msg}}, {{elapsed}}"
            )
        }
        (false, true) => format!("{name} {{bar:30}} {{percent}} %, {{eta}} left"),
        (false, false) => format!("{{spinner}} {name} {{elapsed}}"),
    };
    ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGES: [Stage; 16] = [
        Stage::Fingerprint,
        Stage::Prefixes,
        Stage::Join,
        Stage::Verify,
        Stage::Compare,
        Stage::Overview,
        Stage::Write,
        Stage::Segment,
        Stage::Anchors,
        Stage::Windows,
        Stage::Lend,
        Stage::Cut,
        Stage::Items,
        Stage::Sample,
        Stage::Look,
        Stage::Count,
    ];

    fn shown(progress: &Progress, stage: Stage, share: Option<f64>, seconds: u64) -> Told<'_> {
        let since = Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        Told { progress, total: None, stage, share, since }
    }

    #[test]
    fn a_line_says_the_share_and_the_time_that_is_left() {
        let progress = Progress::default();
        let line = |stage, share, seconds| shown(&progress, stage, share, seconds).line();
        assert_eq!(line(Stage::Join, Some(0.42), 130), "joining: 42 %, about 3 min left");
        assert_eq!(line(Stage::Compare, Some(0.999), 1000), "verifying: 99 %, about 1 s left");
        assert_eq!(line(Stage::Join, Some(0.0), 60), "joining: 0 %");
        assert_eq!(line(Stage::Join, None, 180), "joining for 3 min");
        assert_eq!(line(Stage::Fingerprint, None, 60), "reading: 0 bytes, 0 documents");
        assert_eq!(line(Stage::Write, Some(1.0), 60), "writing: 100 %, less than a second left");
    }

    #[test]
    fn lines_come_in_their_time_and_none_after_the_end() {
        let progress = Progress::default();
        let (stop, stopped) = channel();
        let (send, lines) = channel();
        thread::scope(|scope| {
            let told = Told::of(&progress, Some(10));
            scope.spawn(move || {
                let every = Duration::from_millis(1);
                write_lines(told, every, &stopped, |line| send.send(line.to_owned()).unwrap());
            });
            assert_eq!(lines.recv().unwrap(), "reading: 0 %");
            drop(stop);
        });
        assert!(lines.iter().all(|line| line == "reading: 0 %"));
    }

    #[test]
    fn every_stage_has_a_template() {
        for (stage, has_share) in STAGES.iter().flat_map(|stage| [(*stage, true), (*stage, false)])
        {
            let bar = ProgressBar::hidden();
            bar.set_style(style(stage, has_share));
            assert!(!name(stage).is_empty());
        }
    }
}
