//! Which curve is which: names beside the ends of curves, or where these have no room, in lines above the chart.

use super::font::{shortened, width};
use super::style::LABEL;

/// From the middle of a name to the middle of the next one below.
pub(super) const NAME: f64 = 15.0;
/// Between a sign and its name, and between a name and the next sign.
pub(super) const SIGN: f64 = 20.0;
const BETWEEN: f64 = 16.0;

/// Heights near those that are asked for, in their order, each [`NAME`] from the next and all between `top` and `bottom`.
pub(super) fn apart(asked: &[f64], (top, bottom): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..asked.len()).collect();
    let height = |at: usize| asked.get(at).copied().unwrap_or(top);
    order.sort_by(|a, b| height(*a).total_cmp(&height(*b)));
    let mut places: Vec<f64> = order.iter().map(|at| height(*at).clamp(top, bottom)).collect();
    let mut above = f64::NEG_INFINITY;
    for place in &mut places {
        *place = place.max(above + NAME);
        above = *place;
    }
    let mut below = bottom + NAME;
    for place in places.iter_mut().rev() {
        *place = place.min(below - NAME);
        below = *place;
    }
    let mut found = vec![top; asked.len()];
    for (at, place) in order.into_iter().zip(places) {
        if let Some(found) = found.get_mut(at) {
            *found = place;
        }
    }
    found
}

/// Where signs with names after them stand, in lines that are no wider than `most`: the place of each sign from the left,
/// its line, and the name.
pub(super) fn rows(names: &[&str], most: f64) -> Vec<(f64, u32, String)> {
    let (mut x, mut line) = (0.0, 0);
    let mut placed = Vec::new();
    for name in names {
        let name = shortened(name, LABEL, most - SIGN);
        let wide = SIGN + width(&name, LABEL);
        if x > 0.0 && x + wide > most {
            (x, line) = (0.0, line + 1);
        }
        placed.push((x, line, name));
        x += wide + BETWEEN;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_apart_and_in_order() {
        for asked in [vec![50.0; 4], vec![0.0, 1.0, 100.0, 99.0], vec![100.0; 7], vec![40.0, 10.0]]
        {
            let found = apart(&asked, (0.0, 100.0));
            let mut sorted = found.clone();
            sorted.sort_by(f64::total_cmp);
            assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= NAME - 1e-9), "{found:?}");
            assert!(sorted[0] >= 0.0 && sorted[sorted.len() - 1] <= 100.0, "{found:?}");
        }
        assert_eq!(apart(&[40.0, 10.0], (0.0, 100.0)), [40.0, 10.0]);
    }

    #[test]
    fn signs_go_on_in_the_next_line() {
        let names =
            ["of the documents", "of the text", "a name that is longer than the whole line is"];
        let placed = rows(&names, 150.0);
        assert_eq!(placed.iter().map(|(_, line, _)| *line).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(placed[2].2.ends_with('…'), "{placed:?}");
        assert!(rows(&names, 900.0).iter().all(|(_, line, _)| *line == 0));
    }
}
