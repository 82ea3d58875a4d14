//! Figures of what the server is busy with, and of the room that it has left.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

/// What the server is busy with at a moment.
pub(crate) struct Load {
    /// Requests on threads apart or waiting for one, by the kind of work.
    pub(crate) long: [(&'static str, usize); 2],
    /// Whether each kind of task is under way.
    pub(crate) tasks: [(&'static str, bool); 5],
    /// When the last snapshot that ended well began, in milliseconds since 1970; 0 if there was none.
    pub(crate) last_snapshot: u64,
    /// Bytes that are free where the store is, if the system tells.
    pub(crate) free: Option<u64>,
}

/// The label of requests that wait for a thread.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Work {
    work: &'static str,
}

/// The label of a task.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Kind {
    task: &'static str,
}

impl Load {
    /// Adds the figures.
    pub(super) fn register(&self, registry: &mut Registry) {
        let long = Family::<Work, Gauge>::default();
        for (work, count) in self.long {
            long.get_or_create(&Work { work }).set(i64::try_from(count).unwrap_or(i64::MAX));
        }
        let help = "Requests on threads for long work, or waiting for one";
        registry.register("long_requests", help, long);
        let tasks = Family::<Kind, Gauge>::default();
        for (task, running) in self.tasks {
            tasks.get_or_create(&Kind { task }).set(i64::from(running));
        }
        registry.register("task_running", "1 while a task of this kind is under way", tasks);
        for (name, unit, help, value) in [
            (
                "last_snapshot_timestamp",
                Unit::Seconds,
                "When the last snapshot that ended well began, in seconds since 1970; 0 if none did since the server began",
                Some(self.last_snapshot / 1000),
            ),
            ("store_free", Unit::Bytes, "Bytes that are free where the store is", self.free),
        ] {
            let Some(value) = value else { continue };
            let gauge = Gauge::<i64>::default();
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
            registry.register_with_unit(name, help, unit, gauge);
        }
    }
}
