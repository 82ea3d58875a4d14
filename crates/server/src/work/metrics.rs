//! Figures of the server and of the store, for Prometheus.

use crate::follow::replica_state::FollowBody;
use crate::work::duplicates::Duplicates;
use crate::work::exposition::Format;
use crate::work::load::Load;
use crate::work::process;
use nearprint_store::{CommitTimes, Stats};
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// Upper bounds of the classes of latencies, in seconds.
const LATENCIES: [f64; 14] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// The labels of a request that was answered.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct Answered {
    pub(crate) endpoint: &'static str,
    pub(crate) method: &'static str,
    pub(crate) status: u16,
}

/// The labels of a line of a batch.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct Line {
    pub(crate) op: &'static str,
}

/// The labels of an answer to a document, of its own or in a batch.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct Answers {
    pub(crate) op: &'static str,
    pub(crate) verdict: &'static str,
}

/// The labels of a request that was refused for who sent it, or how often.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct Refused {
    pub(crate) status: u16,
    /// The name of the token; empty if none is known.
    pub(crate) token: String,
}

/// The label of a file that is read again while the server runs.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub(crate) struct Reloaded {
    pub(crate) file: &'static str,
}

/// The labels of a duplicate that was answered.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Distance {
    distance: u32,
}

type Latencies = Family<Answered, Histogram, fn() -> Histogram>;

/// The figures of the server.
#[derive(Clone)]
pub(crate) struct Metrics {
    pub(crate) requests: Latencies,
    pub(crate) in_flight: Gauge,
    pub(crate) connections: Gauge,
    /// Clients that read changes.
    pub(crate) readers: Gauge,
    pub(crate) connections_refused: Counter,
    /// 1 while documents stay that are old enough to be deleted, because they are over half of the store.
    pub(crate) forgetting_held: Gauge,
    /// Whether the files that are read again could be read at the last time, by what is in them.
    pub(crate) reloads: Family<Reloaded, Gauge>,
    pub(crate) batch_lines: Family<Line, Counter>,
    pub(crate) answers: Family<Answers, Counter>,
    pub(crate) refused: Family<Refused, Counter>,
    /// When the server began, in seconds since 1970.
    start: f64,
}

impl Default for Metrics {
    fn default() -> Self {
        let refused = Family::<Refused, Counter>::default();
        // A rise from nothing is no rise to those who look on: what may be alarming is there from the start.
        for status in [401, 403, 429] {
            refused.get_or_create(&Refused { status, token: String::new() }).inc_by(0);
        }
        let reloads = Family::<Reloaded, Gauge>::default();
        for file in ["tokens", "certificate"] {
            reloads.get_or_create(&Reloaded { file }).set(1);
        }
        Self {
            requests: Family::new_with_constructor(|| Histogram::new(LATENCIES)),
            in_flight: Gauge::default(),
            connections: Gauge::default(),
            readers: Gauge::default(),
            forgetting_held: Gauge::default(),
            connections_refused: Counter::default(),
            reloads,
            batch_lines: Family::default(),
            answers: Family::default(),
            refused,
            start: process::now(),
        }
    }
}

impl Metrics {
    /// All figures as text.
    pub(crate) fn text(
        &self,
        store: &Stats,
        duplicates: &Duplicates,
        load: &Load,
        follow: Option<&FollowBody>,
        format: Format,
    ) -> Result<String, std::fmt::Error> {
        let mut all = Registry::default();
        process::register(&mut all, self.start);
        let registry = all.sub_registry_with_prefix("nearprint");
        let version = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The release", version);
        registry.register_with_unit(
            "request_duration",
            "Time from the head of a request to its answer; of a batch, to the head of its answer",
            Unit::Seconds,
            self.requests.clone(),
        );
        registry.register("requests_in_flight", "Requests under way", self.in_flight.clone());
        registry.register("connections", "Connections that are open", self.connections.clone());
        registry.register("change_readers", "Clients that read changes", self.readers.clone());
        registry.register(
            "forgetting_held",
            "1 while old documents are kept, because they are over half of the store: the clock may be wrong",
            self.forgetting_held.clone(),
        );
        let refused = self.connections_refused.clone();
        registry.register(
            "connections_refused",
            "Connections closed because there were too many",
            refused,
        );
        registry.register(
            "reload_successful",
            "0 if the last attempt to read the file again failed, else 1",
            self.reloads.clone(),
        );
        registry.register("batch_lines", "Lines of batches answered", self.batch_lines.clone());
        registry.register(
            "answers",
            "Documents answered, by what was asked and the verdict",
            self.answers.clone(),
        );
        registry.register(
            "requests_refused",
            "Requests refused for missing rights or their rate, by the token if it is known",
            self.refused.clone(),
        );
        let answered = Family::<Distance, Counter>::default();
        for (distance, count) in duplicates.by_distance() {
            answered.get_or_create(&Distance { distance }).inc_by(count);
        }
        registry.register("duplicates", "Duplicates answered, by their distance in bits", answered);
        load.register(registry);
        of_store(registry.sub_registry_with_prefix("store"), store);
        if let Some(follow) = follow {
            of_copy(registry.sub_registry_with_prefix("follow"), follow);
        }
        let mut text = String::new();
        encode(&mut text, &all)?;
        Ok(format.of(text))
    }
}

fn of_copy(registry: &mut Registry, follow: &FollowBody) {
    for (name, help, value) in [
        ("connected", "1 while the leader sends its changes", follow.connected.into()),
        (
            "lag_groups",
            "Groups of writes of the leader that the copy does not have",
            follow.lag_groups,
        ),
        ("different", "1 if the copy has diverged from its leader", follow.different.into()),
    ] {
        let gauge = Gauge::<i64>::default();
        gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        registry.register(name, help, gauge);
    }
    let lag = Gauge::<f64, AtomicU64>::default();
    lag.set(follow.lag_seconds);
    let help = "Time since the copy was last known to have all changes of its leader";
    registry.register_with_unit("lag", help, Unit::Seconds, lag);
}

fn of_store(registry: &mut Registry, stats: &Stats) {
    let bytes: u64 = stats.segments.iter().map(|segment| segment.bytes).sum();
    let gone: u64 = stats.segments.iter().map(|segment| segment.gone).sum();
    for (name, help, value) in [
        ("documents", "Documents stored", stats.documents),
        ("memtable_documents", "Documents in no segment yet", stats.recent),
        ("segments", "Segments", stats.segments.len() as u64),
        ("segment_bytes", "Bytes of all segments", bytes),
        ("gone_documents", "Deleted documents that are still in segments", gone),
        ("database_bytes", "Bytes of the database", stats.database_bytes),
        ("crowded_keys", "Keys of bands in segments with more than 256 documents", stats.crowded),
        ("writes_waiting", "Requests to write that wait for the writer", stats.waiting as u64),
        ("scanned_documents", "Documents of damaged segments, which searches read", stats.scanned),
        ("read_only", "1 while the store takes no writes", stats.read_only.is_some().into()),
    ] {
        let gauge = Gauge::<i64>::default();
        gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        registry.register(name, help, gauge);
    }
    for (name, help, value) in [
        ("flushes", "Segments made of what was recent", stats.flushes),
        ("merges", "Segments made of other segments", stats.merges),
        ("crowded_searches", "Searches that met a crowded key", stats.crowded_searches),
        ("damaged_segments", "Segments found damaged", stats.damaged),
    ] {
        let counter = Counter::<u64>::default();
        counter.inc_by(value);
        registry.register(name, help, counter);
    }
    let commits = Commits(Arc::new(stats.commit_times.clone()));
    registry.register_with_unit("commit_duration", "Time of a commit", Unit::Seconds, commits);
}

/// The times of commits as a histogram.
#[derive(Debug)]
struct Commits(Arc<CommitTimes>);

impl EncodeMetric for Commits {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> Result<(), std::fmt::Error> {
        let CommitTimes { classes, total } = &*self.0;
        let bound =
            |bound: Option<Duration>| bound.map_or(f64::INFINITY, |bound| bound.as_secs_f64());
        let classes: Vec<_> =
            classes.iter().map(|(up_to, count)| (bound(*up_to), *count)).collect();
        let count = classes.iter().map(|(_, count)| count).sum();
        encoder.encode_histogram::<NoLabelSet>(total.as_secs_f64(), count, &classes, None)
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Histogram
    }
}
