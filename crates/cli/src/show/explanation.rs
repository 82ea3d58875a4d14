//! An explanation for people: what the text became, which features pull which bits, and V.

use crate::show::weight::weight;
use nearprint_fingerprint::{ExplainedFeature, Explanation, Recipe};
use std::fmt::Write as _;

/// The widest fingerprint whose votes are shown as numbers.
const NUMBERS: u32 = 16;
/// Bits in a line of a wider one.
const LINE: usize = 64;
/// Sums in a line.
const SUMS: usize = 8;
/// Tokens shown.
const TOKENS: usize = 24;
/// Characters of a token or feature that are shown.
const CHARACTERS: usize = 60;

/// All of it, with the `top` heaviest features.
pub(crate) fn table(
    recipe: Option<&Recipe>,
    why: &Explanation,
    top: usize,
) -> anyhow::Result<String> {
    let mut out = String::new();
    let width = why.bits.width();
    match recipe {
        Some(recipe) => {
            writeln!(out, "recipe       {}, {width} bits, id {}", recipe.name, recipe.id())?;
        }
        None => writeln!(out, "recipe       none: {width} bits given by hand")?,
    }
    if !why.tokens.is_empty() {
        writeln!(out, "tokens       {}: {}", why.tokens.len(), list(&why.tokens))?;
    }
    writeln!(out, "features     {}", why.features.len())?;
    writeln!(out, "fingerprint  {}", why.bits.to_hex())?;
    writeln!(out, "flags        {}", flags(why))?;
    let features = why.heaviest(top);
    if !features.is_empty() {
        if width <= NUMBERS {
            numbers(&mut out, why, &features)?;
        } else {
            votes(&mut out, why, &features)?;
        }
    }
    let hidden = why.features.len() - features.len();
    if hidden > 0 {
        writeln!(out, "... and {hidden} lighter features (--top), which the sums count too")?;
    }
    Ok(out)
}

/// The flags with what they mean.
fn flags(why: &Explanation) -> String {
    let meaning = |flag| match flag {
        "empty" => "empty (no feature: never a duplicate)",
        "short" => "short (too few features to compare)",
        "dominant" => {
            "dominant (one feature has more than half of all weight, and decides every bit)"
        }
        other => other,
    };
    let mut flags: Vec<_> = why.flags.names().map(meaning).collect();
    if why.is_weightless() {
        flags.push("every weight is 0: the bits carry no information");
    }
    if flags.is_empty() { "none".to_owned() } else { flags.join(", ") }
}

/// Each vote as a number, under its bit: for few bits.
fn numbers(
    out: &mut String,
    why: &Explanation,
    features: &[&ExplainedFeature],
) -> anyhow::Result<()> {
    let width = why.bits.width();
    let vote = |one: &ExplainedFeature, bit| {
        let weight = weight(one.weight);
        match weight.strip_prefix('-') {
            _ if one.weight == 0.0 => "0".to_owned(),
            Some(positive) if !one.bits.bit(bit) => format!("+{positive}"),
            None if one.bits.bit(bit) => format!("+{weight}"),
            None => format!("-{weight}"),
            Some(_) => weight,
        }
    };
    let sums: Vec<_> = why.sums.iter().map(|sum| weight(*sum)).collect();
    let votes: Vec<Vec<_>> =
        features.iter().map(|one| (0..width).rev().map(|bit| vote(one, bit)).collect()).collect();
    let widest = votes.iter().flatten().chain(&sums).map(String::len).max().unwrap_or(1).max(2);
    let hash = (width as usize).max(4);
    let all = (widest + 1) * width as usize;
    writeln!(out, "\n{:>9}  {:<hash$}  {:<all$}  feature", "weight", "hash", "votes")?;
    for (one, votes) in features.iter().zip(&votes) {
        write!(out, "{:>9}  {:<hash$} ", weight(one.weight), one.bits)?;
        votes.iter().try_for_each(|vote| write!(out, " {vote:>widest$}"))?;
        // Where votes take less room than their heading.
        let gap = "votes".len().saturating_sub(all) + 3;
        writeln!(out, "{:gap$}{}", "", visible(&one.feature))?;
    }
    write!(out, "{:>9}  {:<hash$} ", "V", "")?;
    sums.iter().try_for_each(|sum| write!(out, " {sum:>widest$}"))?;
    write!(out, "\n{:>9}  {:<hash$} ", "bits", why.bits)?;
    for bit in (0..width).rev() {
        write!(out, " {:>widest$}", u8::from(why.bits.bit(bit)))?;
    }
    out.push('\n');
    Ok(())
}

/// Features with their hashes, a picture of the votes, and V: for many bits.
fn votes(
    out: &mut String,
    why: &Explanation,
    features: &[&ExplainedFeature],
) -> anyhow::Result<()> {
    let digits = why.bits.width().div_ceil(4) as usize;
    writeln!(out, "\ncount     weight  {:<digits$}  feature", "hash")?;
    for one in features {
        let (weight, name) = (weight(one.weight), visible(&one.feature));
        writeln!(out, "{:>5}  {weight:>9}  {}  {name}", one.count, one.bits.to_hex())?;
    }
    let most = why.sums.iter().fold(0.0_f64, |most, sum| most.max(sum.abs()));
    let places: Vec<usize> = (0..why.sums.len()).collect();
    for line in places.chunks(LINE) {
        let [Some(first), Some(last)] =
            [line.first(), line.last()].map(|place| place.map(|place| why.sums.len() - 1 - place))
        else {
            continue;
        };
        writeln!(out, "\nbits {first} to {last}: + pulls to 1, - pulls to 0; the height of V")?;
        for one in features {
            let signs: String =
                line.iter().map(|place| sign(one, why.sums.len() - 1 - place)).collect();
            writeln!(out, "{signs}  {}", visible(&one.feature))?;
        }
        let sums = line.iter().filter_map(|place| why.sums.get(*place));
        let heights: String = sums.map(|sum| height(sum.abs(), most)).collect();
        let bits = why.bits.to_string();
        let bits: String =
            bits.chars().skip(line.first().copied().unwrap_or(0)).take(line.len()).collect();
        writeln!(out, "{heights}  V\n{bits}  bits")?;
    }
    let sums: Vec<_> = why.sums.iter().map(|sum| weight(*sum)).collect();
    let widest = sums.iter().map(String::len).max().unwrap_or(1);
    writeln!(out, "\nV from bit {} down to bit 0", why.sums.len() - 1)?;
    for (at, sums) in sums.chunks(SUMS).enumerate() {
        write!(out, "{:>5} ", why.sums.len() - 1 - at * SUMS)?;
        sums.iter().try_for_each(|sum| write!(out, " {sum:>widest$}"))?;
        out.push('\n');
    }
    Ok(())
}

/// Which way a feature pulls a bit.
fn sign(one: &ExplainedFeature, bit: usize) -> char {
    let set = u32::try_from(bit).is_ok_and(|bit| one.bits.bit(bit));
    match one.weight {
        0.0 => '.',
        weight if (weight > 0.0) == set => '+',
        _ => '-',
    }
}

/// A sum as the height of a bar, in eighths of the greatest.
fn height(sum: f64, most: f64) -> char {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    if sum == 0.0 {
        return ' ';
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 8")]
    let eighths = (8.0 * sum / most).ceil() as usize;
    BARS.get(eighths.saturating_sub(1)).copied().unwrap_or('█')
}

/// The first of many tokens, in one line.
pub(crate) fn list(tokens: &[String]) -> String {
    let mut shown: Vec<_> = tokens.iter().take(TOKENS).map(|token| visible(token)).collect();
    if tokens.len() > TOKENS {
        shown.push("...".to_owned());
    }
    shown.join(" | ")
}

/// A token or feature in one line: control characters escaped, the rest of a long one left out.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::new();
    for (at, c) in text.chars().enumerate() {
        if at == CHARACTERS {
            out.push_str("...");
            break;
        }
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}
