//! Figures of the process, by the names that all programs use, as Linux tells them. Elsewhere there is only the
//! start.

use crate::platform::most_files;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};
use std::fs;
use std::time::SystemTime;

/// Ticks of a second in which Linux counts processor time for programs, on all machines that it runs on today.
const TICKS: f64 = 100.0;
/// The fields of `/proc/self/stat` behind the name of the program at which the time in user mode stands; that
/// in the kernel follows.
const USER_TIME: usize = 11;

/// Adds the figures. `start`: when the server began, in seconds since 1970.
pub(super) fn register(registry: &mut Registry, start: f64) {
    let registry = registry.sub_registry_with_prefix("process");
    let began = "When the server began, in seconds since 1970";
    registry.register_with_unit("start_time", began, Unit::Seconds, ConstGauge::new(start));
    if let Some(seconds) = processor_time() {
        let help = "Processor time of the process";
        registry.register_with_unit("cpu", help, Unit::Seconds, ConstCounter::new(seconds));
    }
    for (name, help, field) in [
        ("resident_memory", "Memory of the process, mapped files included", "VmRSS:"),
        ("virtual_memory", "Addresses of the process", "VmSize:"),
    ] {
        if let Some(bytes) = memory(field) {
            registry.register_with_unit(name, help, Unit::Bytes, ConstGauge::new(bytes));
        }
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        // One of them lists the others.
        let open = i64::try_from(open.count().saturating_sub(1)).unwrap_or(i64::MAX);
        registry.register("open_fds", "Files and connections open", ConstGauge::new(open));
    }
    if let Some(most) = most_files() {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        registry.register(
            "max_fds",
            "Files and connections that may be open",
            ConstGauge::new(most),
        );
    }
}

/// Seconds since 1970.
pub(super) fn now() -> f64 {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    now.as_secs_f64()
}

/// Seconds that the process has computed.
fn processor_time() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold anything.
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut times = fields.split(' ').skip(USER_TIME).map(|field| field.parse::<f64>().ok());
    Some((times.next()?? + times.next()??) / TICKS)
}

/// Bytes of a field of `/proc/self/status`.
fn memory(field: &str) -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: i64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn processor_time_is_that_of_the_process() {
        let before = processor_time().unwrap();
        let mut work = 0_u64;
        let begun = std::time::Instant::now();
        while processor_time().unwrap() < before + 0.03 {
            (0..100_000).for_each(|at| work = std::hint::black_box(work.wrapping_add(at)));
            assert!(begun.elapsed().as_secs() < 30, "no time passes");
        }
        // All threads together: at most a second in each second of each.
        let threads = std::thread::available_parallelism().unwrap().get();
        let most = begun.elapsed().as_secs_f64() * f64::from(u32::try_from(threads).unwrap());
        assert!(processor_time().unwrap() - before < most + 0.1);
        assert!(memory("VmRSS:").unwrap() > 1 << 20);
    }
}
