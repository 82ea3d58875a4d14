//! One chart: its title, what goes up and across, curves and bars, and what is marked.

use super::axis::{Axis, counted};
use super::font::{lines, width};
use super::key::{self, NAME, SIGN};
use super::scene::{Anchor, Scene, start};
use super::style::{Ink, LABEL, LINE, TITLE, TITLE_LINE};

/// Pixels between the sides of a chart and their numbers.
const BESIDE: f64 = 8.0;
/// Between two numbers below a chart.
const BETWEEN: f64 = 10.0;
/// The part of a chart that names beside its curves may take.
const NAMES: f64 = 0.34;
/// Between the end of a curve and its name.
const LEADER: f64 = 10.0;
/// How much of the ground an interval covers.
const FAINT: f64 = 0.15;
/// Pixels between two bars.
const SLIT: f64 = 1.0;
/// From the bottom of a letter to the middle of its line.
const MIDDLE: f64 = 4.0;

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Line,
    Bars,
    /// A level from one place to the next.
    Steps,
}

/// A value and its interval, at a place or from one place to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) value: f64,
    pub(crate) interval: Option<(f64, f64)>,
}

impl Point {
    pub(crate) fn at(place: f64, value: f64) -> Self {
        Self { from: place, to: place, value, interval: None }
    }

    pub(crate) fn between(from: f64, to: f64, value: f64) -> Self {
        Self { from, to, value, interval: None }
    }
}

/// Values that belong together, from the left to the right.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) ink: Ink,
    pub(crate) points: Vec<Point>,
}

/// A place across that is told of.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) at: f64,
    pub(crate) name: String,
    /// Between which places it may be.
    pub(crate) range: Option<(f64, f64)>,
}

/// One chart.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) across: Axis,
    pub(crate) up: Axis,
    pub(crate) curves: Vec<Curve>,
    pub(crate) marks: Vec<Mark>,
    /// Pixels of the chart itself, without what stands around it.
    pub(crate) height: f64,
}

/// The rectangle in which curves are.
struct Frame<'a> {
    panel: &'a Panel,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Panel {
    pub(crate) const HEIGHT: f64 = 200.0;

    /// The names of curves, of those that have one.
    fn named(&self) -> impl Iterator<Item = &Curve> {
        self.curves.iter().filter(|curve| !curve.name.is_empty())
    }

    /// Pixels that names beside the curves take: none where they stand above.
    fn beside(&self, wide: f64) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a few curves")]
        let high = NAME * self.named().count() as f64;
        let is_lines = self.named().all(|curve| curve.kind == Kind::Line);
        let widest = self.named().map(|curve| width(&curve.name, LABEL)).fold(0.0, f64::max);
        let fits = is_lines && high <= self.height && widest <= NAMES * wide;
        fits.then_some(widest)
    }

    /// Numbers beside the chart.
    fn heights(&self) -> Vec<(f64, String)> {
        self.up.ticks(if self.height < 160.0 { 3 } else { 5 })
    }

    /// From where to where the chart itself goes.
    fn sides(&self, wide: f64) -> (f64, f64) {
        let numbers = self.heights().iter().map(|(_, text)| width(text, LABEL)).fold(0.0, f64::max);
        let names = self.beside(wide).filter(|names| *names > 0.0);
        (numbers + BESIDE, wide - names.map_or(BESIDE, |names| names + LEADER + 2.0))
    }

    /// The names above the chart.
    fn key(&self, wide: f64) -> Vec<(f64, u32, String)> {
        if self.beside(wide).is_some() {
            return Vec::new();
        }
        key::rows(&self.named().map(|curve| curve.name.as_str()).collect::<Vec<_>>(), wide)
    }

    /// The names of marks: where each begins, and its line, the lowest first.
    fn signs(&self, left: f64, right: f64) -> Vec<(f64, u32)> {
        let mut taken: Vec<(f64, f64, u32)> = Vec::new();
        for mark in &self.marks {
            let wide = width(&mark.name, LABEL);
            let at = self.across.place(mark.at).mul_add(right - left, left);
            let fits = |line: u32| {
                let starts = [Anchor::Middle, Anchor::End, Anchor::Start];
                let mut starts = starts.map(|anchor| {
                    let from = match anchor {
                        Anchor::Middle => at,
                        Anchor::End => at - 2.0,
                        Anchor::Start => at + 2.0,
                    };
                    start(from, &mark.name, LABEL, anchor).min(right - wide).max(left)
                });
                let is_free = |from: f64| {
                    taken.iter().filter(|(.., other)| *other == line).all(|(other, end, _)| {
                        from + wide + BETWEEN <= *other || *end + BETWEEN <= from
                    })
                };
                starts.iter_mut().find(|from| is_free(**from)).map(|from| (*from, line))
            };
            let (from, line) = (0..).find_map(fits).unwrap_or((left, 0));
            taken.push((from, from + wide, line));
        }
        taken.into_iter().map(|(from, _, line)| (from, line)).collect()
    }

    /// Pixels above the chart itself.
    pub(super) fn head(&self, wide: f64) -> f64 {
        let count = |lines: u32, high: f64| f64::from(lines) * high;
        let title = u32::try_from(lines(&self.title, TITLE, wide).len()).unwrap_or(1);
        let up = u32::try_from(lines(&self.up.name, LABEL, wide).len()).unwrap_or(1);
        let key = self.key(wide).last().map_or(0, |(_, line, _)| line + 1);
        let (left, right) = self.sides(wide);
        let signs = self.signs(left, right).iter().map(|(_, line)| line + 1).max().unwrap_or(0);
        count(title, TITLE_LINE) + count(up + key + signs, LINE) + BESIDE
    }

    /// Draws it into a width, with so many pixels above the chart itself; returns where it ends.
    pub(super) fn draw(
        &self,
        scene: &mut Scene,
        (x, y): (f64, f64),
        (wide, head): (f64, f64),
    ) -> f64 {
        let mut line = y;
        for text in lines(&self.title, TITLE, wide) {
            line += TITLE_LINE;
            scene.text((x, line - 5.0), text, TITLE, Anchor::Start, Ink::Text);
        }
        for text in lines(&self.up.name, LABEL, wide) {
            line += LINE;
            scene.label((x, line - MIDDLE), text, Anchor::Start, Ink::Soft);
        }
        for ((from, row, name), curve) in self.key(wide).into_iter().zip(self.named()) {
            let low = LINE.mul_add(f64::from(row + 1), line) - MIDDLE;
            match curve.kind {
                Kind::Bars => scene.rect((x + from, low - 9.0), (12.0, 10.0), curve.ink, 1.0),
                Kind::Line | Kind::Steps => {
                    let middle = low - MIDDLE;
                    scene.line(vec![(x + from, middle), (x + from + 14.0, middle)], curve.ink, 2.0);
                }
            }
            scene.label((x + from + SIGN, low), name, Anchor::Start, curve.ink);
        }
        let (left, right) = self.sides(wide);
        let (left, right, top) = (x + left, x + right, y + head);
        let frame = Frame { panel: self, left, right, top, bottom: top + self.height };
        frame.grounds(scene);
        for (value, text) in self.heights() {
            let up = frame.y(value);
            scene.line(vec![(left, up), (right, up)], Ink::Rule, 1.0);
            scene.label((left - BESIDE, up + MIDDLE), text, Anchor::End, Ink::Soft);
        }
        frame.curves(scene);
        frame.marks(scene);
        if self.beside(wide).is_some() {
            frame.names(scene);
        }
        frame.numbers(scene, (x, x + wide))
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Vec<String>> {
        let row = |name: &str, numbers: [Option<f64>; 5]| {
            let texts = [self.title.as_str(), &self.across.name, name].map(str::to_owned);
            let numbers = numbers.map(|one| one.map_or_else(String::new, |one| one.to_string()));
            texts.into_iter().chain(numbers).collect()
        };
        let points = self.curves.iter().flat_map(move |curve| {
            curve.points.iter().map(move |point| {
                let Point { from, to, value, interval } = *point;
                let (low, high) = interval.unzip();
                let name = if curve.name.is_empty() { &self.title } else { &curve.name };
                row(name, [Some(from), (from < to).then_some(to), Some(value), low, high])
            })
        });
        points.chain(self.marks.iter().map(move |mark| {
            let (low, high) = mark.range.unzip();
            row(&mark.name, [low.or(Some(mark.at)), high, None, None, None])
        }))
    }
}

impl Frame<'_> {
    fn x(&self, value: f64) -> f64 {
        self.panel.across.place(value).mul_add(self.right - self.left, self.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.panel.up.place(value).mul_add(self.top - self.bottom, self.bottom)
    }

    /// What lies under the grid: where marks may be, and the interval of a curve that is alone. Those of several would
    /// hide each other.
    fn grounds(&self, scene: &mut Scene) {
        for (low, high) in self.panel.marks.iter().filter_map(|mark| mark.range) {
            let (low, high) = (self.x(low), self.x(high));
            scene.rect(
                (low, self.top),
                ((high - low).max(1.0), self.bottom - self.top),
                Ink::Chosen,
                FAINT,
            );
        }
        let mut with = self.panel.curves.iter().filter(|curve| {
            curve.kind == Kind::Line && curve.points.iter().any(|point| point.interval.is_some())
        });
        let (Some(curve), None) = (with.next(), with.next()) else { return };
        let ends = curve.points.iter().filter_map(|point| Some((point.from, point.interval?)));
        let highs = ends.clone().map(|(at, (_, high))| (self.x(at), self.y(high)));
        let lows = ends.rev().map(|(at, (low, _))| (self.x(at), self.y(low)));
        scene.area(highs.chain(lows).collect(), curve.ink, FAINT);
    }

    fn curves(&self, scene: &mut Scene) {
        for curve in &self.panel.curves {
            match curve.kind {
                Kind::Bars => self.bars(scene, curve),
                Kind::Line => {
                    let places =
                        curve.points.iter().map(|one| (self.x(one.from), self.y(one.value)));
                    scene.line(places.collect(), curve.ink, 2.0);
                }
                Kind::Steps => {
                    let steps = curve.points.iter().flat_map(|point| {
                        let y = self.y(point.value);
                        [(self.x(point.from), y), (self.x(point.to), y)]
                    });
                    scene.line(steps.collect(), curve.ink, 2.0);
                }
            }
        }
        scene.line(vec![(self.left, self.bottom), (self.right, self.bottom)], Ink::Soft, 1.0);
    }

    /// Bars, with their figures where every bar has room for its own.
    fn bars(&self, scene: &mut Scene, curve: &Curve) {
        for point in &curve.points {
            let (left, right, y) = (self.x(point.from), self.x(point.to), self.y(point.value));
            let slit = if right - left > 4.0 * SLIT { SLIT } else { 0.0 };
            scene.rect((left, y), (right - left - slit, self.bottom - y), curve.ink, 1.0);
        }
        let told = curve.points.iter().filter(|point| point.value > 0.0);
        let fits = |point: &Point| {
            width(&counted(point.value), LABEL) + 2.0 <= self.x(point.to) - self.x(point.from)
                && point.value.fract() == 0.0
                && self.y(point.value) - LINE >= self.top - BESIDE
        };
        if self.panel.curves.len() == 1 && told.clone().all(fits) {
            for point in told {
                let at = (self.x(f64::midpoint(point.from, point.to)), self.y(point.value) - 4.0);
                scene.label(at, counted(point.value), Anchor::Middle, Ink::Soft);
            }
        }
    }

    fn marks(&self, scene: &mut Scene) {
        let signs = self.panel.signs(self.left, self.right);
        for (mark, (from, line)) in self.panel.marks.iter().zip(signs) {
            let x = self.x(mark.at);
            scene.line(vec![(x, self.top), (x, self.bottom)], Ink::Chosen, 2.0);
            let y = self.top - 5.0 - LINE * f64::from(line);
            scene.label((from, y), mark.name.clone(), Anchor::Start, Ink::Chosen);
        }
    }

    /// The name of each curve at its end.
    fn names(&self, scene: &mut Scene) {
        let ends = self.panel.named().filter_map(|curve| Some((curve, curve.points.last()?)));
        let ends: Vec<_> =
            ends.map(|(curve, last)| (curve, (self.x(last.to), self.y(last.value)))).collect();
        let heights: Vec<f64> = ends.iter().map(|(_, (_, y))| *y).collect();
        for ((curve, end), y) in ends.iter().zip(key::apart(&heights, (self.top, self.bottom))) {
            let from = self.right + LEADER;
            // Of a curve that ends before, the line would cross others: its colour tells its name.
            if (end.1 - y).abs() > 1.0 && end.0 >= self.right - LEADER {
                scene.line(vec![*end, (from - 3.0, y)], curve.ink, 0.75);
            }
            scene.label((from, y + MIDDLE), curve.name.clone(), Anchor::Start, curve.ink);
        }
    }

    /// The numbers below, as many as have room, and what they are; returns where it ends.
    fn numbers(&self, scene: &mut Scene, (left, right): (f64, f64)) -> f64 {
        let across = &self.panel.across;
        let placed = (1..=12_usize).rev().find_map(|most| {
            let ticks = across.ticks(most).into_iter().map(|(value, text)| {
                let half = width(&text, LABEL) / 2.0;
                let middle = self.x(value).min(right - half).max(left + half);
                (self.x(value), middle, half, text)
            });
            let ticks: Vec<_> = ticks.collect();
            let fits = ticks
                .windows(2)
                .all(|pair| pair[0].1 + pair[0].2 + BETWEEN <= pair[1].1 - pair[1].2);
            (fits || most == 1).then_some(ticks)
        });
        let y = self.bottom + BESIDE + LABEL;
        for (x, middle, _, text) in placed.unwrap_or_default() {
            scene.line(vec![(x, self.bottom), (x, self.bottom + 4.0)], Ink::Soft, 1.0);
            scene.label((middle, y), text, Anchor::Middle, Ink::Soft);
        }
        let mut end = y;
        for text in lines(&across.name, LABEL, right - left) {
            end += LINE + 2.0;
            let middle = start(f64::midpoint(self.left, self.right), &text, LABEL, Anchor::Middle);
            let from = middle.min(right - width(&text, LABEL)).max(left);
            scene.label((from, end), text, Anchor::Start, Ink::Soft);
        }
        end + 4.0
    }
}
