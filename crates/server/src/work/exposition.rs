//! The two text formats of figures, and which of them a client gets.

/// The text format that every monitoring system reads.
pub(crate) const CLASSIC: &str = "text/plain; version=0.0.4; charset=utf-8";
/// The text format of OpenMetrics.
pub(crate) const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// A text format of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Classic,
    OpenMetrics,
}

impl Format {
    /// The format for a client that accepts this: OpenMetrics if it is named with at least the weight of others.
    pub(crate) fn accepted(accept: Option<&str>) -> Self {
        let (mut open, mut classic) = (0.0_f64, 0.0_f64);
        for range in accept.unwrap_or_default().split(',') {
            let mut parts = range.split(';').map(str::trim);
            let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
            let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f64>().ok());
            let weight = weight.unwrap_or(1.0);
            let named = match kind.as_str() {
                "application/openmetrics-text" => &mut open,
                "text/plain" | "text/*" | "*/*" => &mut classic,
                _ => continue,
            };
            *named = named.max(weight);
        }
        if open > 0.0 && open >= classic { Self::OpenMetrics } else { Self::Classic }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Classic => CLASSIC,
            Self::OpenMetrics => OPEN_METRICS,
        }
    }

    /// Figures in this format, of figures in the format of OpenMetrics.
    pub(crate) fn of(self, text: String) -> String {
        match self {
            Self::Classic => classic(&text),
            Self::OpenMetrics => text,
        }
    }
}

/// Figures in the format 0.0.4. There a counter is named with its ending, a fact about the build is a gauge, and
/// units and the end are not told.
fn classic(text: &str) -> String {
    let (mut classic, mut help) = (String::with_capacity(text.len()), None);
    for line in text.lines() {
        let comment = line.strip_prefix("# ").and_then(|comment| comment.split_once(' '));
        match comment {
            // It names the figure, whose name depends on the type.
            Some(("HELP", said)) => help = said.split_once(' '),
            Some(("TYPE", said)) => {
                let (name, kind) = said.split_once(' ').unwrap_or((said, "untyped"));
                let (ending, kind) = match kind {
                    "counter" => ("_total", kind),
                    "info" => ("_info", "gauge"),
                    "unknown" => ("", "untyped"),
                    kind => ("", kind),
                };
                if let Some((_, help)) = help.take().filter(|(of, _)| *of == name) {
                    classic.extend(["# HELP ", name, ending, " ", help, "\n"]);
                }
                classic.extend(["# TYPE ", name, ending, " ", kind, "\n"]);
            }
            Some(_) => {}
            None if line == "# EOF" => {}
            None => classic.extend([line, "\n"]),
        }
    }
    classic
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_gets_what_it_accepts() {
        for (accept, format) in [
            (None, Format::Classic),
            (Some("*/*"), Format::Classic),
            (Some("text/plain"), Format::Classic),
            (Some("application/json"), Format::Classic),
            (Some("application/openmetrics-text;q=0, */*"), Format::Classic),
            (Some("application/openmetrics-text; q=0.5, text/plain"), Format::Classic),
            (Some("application/openmetrics-text"), Format::OpenMetrics),
            (Some("Application/OpenMetrics-Text; version=1.0.0,*/*;q=0.1"), Format::OpenMetrics),
            // Prometheus 2 and 3.
            (
                Some(
                    "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,\
                     text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                ),
                Format::OpenMetrics,
            ),
        ] {
            assert_eq!(Format::accepted(accept), format, "{accept:?}");
        }
    }

    #[test]
    fn the_classic_format_has_its_own_names_and_types() {
        let open = "# HELP a_build The release.\n# TYPE a_build info\na_build_info{version=\"1\"} 1\n\
                    # HELP a_wait_seconds Time.\n# TYPE a_wait_seconds counter\n# UNIT a_wait_seconds seconds\n\
                    a_wait_seconds_total 2\n# TYPE a_size gauge\na_size 3\n# EOF\n";
        let expected = "# HELP a_build_info The release.\n# TYPE a_build_info gauge\na_build_info{version=\"1\"} 1\n\
                        # HELP a_wait_seconds_total Time.\n# TYPE a_wait_seconds_total counter\n\
                        a_wait_seconds_total 2\n# TYPE a_size gauge\na_size 3\n";
        assert_eq!(classic(open), expected);
    }
}
