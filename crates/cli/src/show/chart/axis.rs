//! What stands along a side of a chart: from where to where it goes, and the numbers beside it.

use crate::show::figures::grouped;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// Things that are counted: no parts of one.
    Count,
    /// Shares of 1, in percent.
    Percent,
    /// Anything else.
    Plain,
}

/// A side of a chart.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(super) name: String,
    pub(super) from: f64,
    pub(super) to: f64,
    numbers: Numbers,
    is_logarithmic: bool,
    /// What stands at 0, 1, 2 and so on in place of numbers.
    names: Vec<String>,
}

impl Axis {
    pub(crate) fn new(name: impl Into<String>, (from, to): (f64, f64), numbers: Numbers) -> Self {
        // A side without a length would have every point anywhere.
        let to = if to > from { to } else { from + 1.0 };
        Self { name: name.into(), from, to, numbers, is_logarithmic: false, names: Vec::new() }
    }

    /// Each next name one further: the first goes from 0 to 1.
    pub(crate) fn of_names(name: impl Into<String>, names: Vec<String>) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a few names")]
        let to = names.len().max(1) as f64;
        Self { names, ..Self::new(name, (0.0, to), Numbers::Count) }
    }

    /// Each next power of ten as far as the one before.
    pub(crate) fn logarithmic(self) -> Self {
        Self { is_logarithmic: true, ..self }
    }

    /// Where a value is, from 0 to 1 along the side.
    pub(super) fn place(&self, value: f64) -> f64 {
        let value = value.clamp(self.from, self.to);
        match self.is_logarithmic {
            true => (value / self.from).log10() / (self.to / self.from).log10(),
            false => (value - self.from) / (self.to - self.from),
        }
    }

    /// Values to write beside it, at most so many and one.
    pub(super) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        if !self.names.is_empty() {
            let step = self.names.len().div_ceil(most.max(1));
            let named = (0_u32..).zip(&self.names).step_by(step);
            return named.map(|(at, name)| (f64::from(at) + 0.5, name.clone())).collect();
        }
        if self.is_logarithmic {
            let powers = (0..=18).map(|power| 10_f64.powi(power));
            let all: Vec<f64> =
                powers.filter(|power| (self.from..=self.to).contains(power)).collect();
            let step = all.len().div_ceil(most.max(1)).max(1);
            return all
                .into_iter()
                .step_by(step)
                .map(|one| (one, self.written(one, 1.0)))
                .collect();
        }
        let step = self.step(most);
        let first = (self.from / step - 1e-9).ceil();
        let ticks = (0_u32..).map(|at| (first + f64::from(at)) * step);
        let ticks = ticks.take_while(|tick| *tick <= self.to + 1e-9 * step);
        ticks.map(|tick| (tick, self.written(tick, step))).collect()
    }

    /// A round number from one tick to the next.
    fn step(&self, most: usize) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a few ticks")]
        let least = (self.to - self.from) / most.max(1) as f64;
        let power = 10_f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|one| one * power).into_iter();
        let step = step.into_iter().find(|step| *step >= least * (1.0 - 1e-9));
        let step = step.unwrap_or(10.0 * power);
        if self.numbers == Numbers::Count { step.max(1.0) } else { step }
    }

    /// A value, with as many digits as tell it from the next.
    fn written(&self, value: f64, step: f64) -> String {
        // Not a 0 with a sign.
        let value = if value == 0.0 { 0.0 } else { value };
        match self.numbers {
            Numbers::Count => counted(value),
            Numbers::Percent => format!("{:.*} %", digits(100.0 * step), 100.0 * value),
            Numbers::Plain => format!("{value:.*}", digits(step)),
        }
    }
}

/// `1,234`, `12 k`, `1.5 M`.
pub(super) fn counted(value: f64) -> String {
    match value {
        1e9.. => format!("{} G", cut(value / 1e9)),
        1e6.. => format!("{} M", cut(value / 1e6)),
        1e4.. => format!("{} k", cut(value / 1e3)),
        _ => grouped(&format!("{value:.0}")),
    }
}

/// One digit after the point, where it is not 0.
fn cut(value: f64) -> String {
    format!("{value:.1}").trim_end_matches(".0").to_owned()
}

/// Digits after the point that a step needs.
fn digits(step: f64) -> usize {
    let mut digits = 0;
    let mut whole = step;
    while whole < 1.0 - 1e-9 && digits < 9 {
        whole *= 10.0;
        digits += 1;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(axis: &Axis, most: usize) -> Vec<String> {
        axis.ticks(most).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_and_written_as_short_as_tells_them_apart() {
        let plain = |from, to| Axis::new("", (from, to), Numbers::Plain);
        assert_eq!(written(&plain(0.3, 1.0), 4), ["0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(written(&plain(0.0, 1.0), 10).len(), 11);
        assert_eq!(written(&plain(0.6, 0.7), 5), ["0.60", "0.62", "0.64", "0.66", "0.68", "0.70"]);
        let percent = Axis::new("", (0.0, 0.013), Numbers::Percent);
        assert_eq!(written(&percent, 3), ["0.0 %", "0.5 %", "1.0 %"]);
        let count = |to| Axis::new("", (0.0, to), Numbers::Count);
        assert_eq!(written(&count(2.2), 8), ["0", "1", "2"]);
        assert_eq!(written(&count(25_000.0), 3), ["0", "10 k", "20 k"]);
        assert_eq!(written(&Axis::new("", (0.5, 2e4), Numbers::Count).logarithmic(), 9).len(), 5);
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        assert_eq!(written(&Axis::of_names("", names), 3), ["a", "c", "e"]);
    }

    #[test]
    fn a_place_is_a_part_of_the_side() {
        let plain = Axis::new("", (0.5, 1.0), Numbers::Plain);
        assert_eq!([0.5, 0.75, 1.0, 7.0].map(|at| plain.place(at)), [0.0, 0.5, 1.0, 1.0]);
        let powers = Axis::new("", (1.0, 100.0), Numbers::Count).logarithmic();
        assert_eq!([1.0, 10.0, 100.0].map(|at| powers.place(at)), [0.0, 0.5, 1.0]);
        assert_eq!(Axis::new("", (3.0, 3.0), Numbers::Count).to, 4.0);
    }
}
