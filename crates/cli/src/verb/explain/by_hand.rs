//! Features that are given by hand, one an argument or one a line of a file.

use crate::usage::wrong;
use anyhow::Context;
use nearprint_fingerprint::{BitString, Explanation, FeatureError, SignRule};
use std::ffi::OsString;
use std::path::Path;

/// Bytes of the largest file of features by hand: people do not write more.
const MOST: u64 = 16 << 20;

/// A feature by hand.
pub(super) struct Given {
    pub(super) name: String,
    pub(super) weight: f64,
    /// Where its bits are given too.
    bits: Option<BitString>,
}

impl Given {
    /// A feature without bits.
    pub(super) fn of(name: String, weight: f64) -> Self {
        Self { name, weight, bits: None }
    }
}

/// The features that `arguments` are: NAME=WEIGHT each.
pub(super) fn features(arguments: &[OsString]) -> anyhow::Result<Vec<Given>> {
    texts(arguments)?.into_iter().map(|given| feature(given).or_else(wrong)).collect()
}

/// The features with bits that `arguments` are, or the lines of the file that they name.
pub(super) fn with_bits(arguments: &[OsString]) -> anyhow::Result<Vec<Given>> {
    let all = texts(arguments)?;
    if let [name] = all[..]
        && (name == "-" || Path::new(name).is_file())
    {
        return lines(name);
    }
    let numbered = all.into_iter().enumerate();
    numbered.map(|(at, given)| feature_with_bits(given, at).or_else(wrong)).collect()
}

/// The explanation of features whose bits are given.
pub(super) fn explained(given: Vec<Given>, sign: SignRule) -> anyhow::Result<Explanation> {
    let voting =
        given.into_iter().filter_map(|Given { name, weight, bits }| Some((name, bits?, weight)));
    match Explanation::by_hand(voting, sign) {
        Err(error @ (FeatureError::OtherWidth { .. } | FeatureError::NoFeature)) => {
            wrong(error.to_string())
        }
        explained => Ok(explained?),
    }
}

fn texts(arguments: &[OsString]) -> anyhow::Result<Vec<&str>> {
    let text = |argument: &'_ OsString| match argument.to_str() {
        Some(_) => Ok(()),
        None => wrong(format!("{}: is not UTF-8", argument.display())),
    };
    arguments.iter().try_for_each(text)?;
    Ok(arguments.iter().filter_map(|argument| argument.to_str()).collect())
}

/// The features in a file or on standard input, one a line; empty lines say nothing.
fn lines(name: &str) -> anyhow::Result<Vec<Given>> {
    let bytes = if name == "-" {
        read(std::io::stdin().lock())
    } else {
        std::fs::File::open(name).and_then(read)
    };
    let bytes = bytes.with_context(|| name.to_owned())?;
    if bytes.len() as u64 > MOST {
        anyhow::bail!("{name}: more than 16 MiB; give the features as rows, with --recipe vectors");
    }
    let mut features = Vec::new();
    for (at, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let place = || format!("{name}:{}", at + 1);
        let line = std::str::from_utf8(line).with_context(place)?;
        let line = line.trim_end_matches('\r').trim_start_matches('\u{feff}');
        if line.trim().is_empty() {
            continue;
        }
        match feature_with_bits(line, features.len()) {
            Ok(feature) => features.push(feature),
            Err(error) => anyhow::bail!("{}: {error}", place()),
        }
    }
    Ok(features)
}

fn read(from: impl std::io::Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(from, MOST + 1), &mut bytes)?;
    Ok(bytes)
}

/// `NAME=WEIGHT`.
fn feature(given: &str) -> Result<Given, String> {
    let Some((name, weight)) = given.rsplit_once('=') else {
        return Err(format!("{given}: expected NAME=WEIGHT, such as x=0.5"));
    };
    let weight = number(weight).map_err(|problem| format!("{given}: {problem}"))?;
    Ok(Given::of(name.to_owned(), weight))
}

/// `NAME=BITS:WEIGHT`, of which only the bits must be there; `at` features come before.
fn feature_with_bits(given: &str, at: usize) -> Result<Given, String> {
    let (name, rest) = match given.rsplit_once('=') {
        Some((name, rest)) => (name.to_owned(), rest),
        None => ((at + 1).to_string(), given),
    };
    let (bits, weight) = match rest.split_once(':') {
        Some((bits, weight)) => (bits, number(weight)),
        None => (rest, Ok(1.0)),
    };
    let bits: BitString = bits.trim().parse().map_err(|error| {
        format!("{given}: {error}; expected NAME=BITS:WEIGHT, such as fox=01011001:2.5")
    })?;
    let weight = weight.map_err(|problem| format!("{given}: {problem}"))?;
    Ok(Given { name, weight, bits: Some(bits) })
}

fn number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("\"{text}\" is not a weight; weights are finite numbers"))
}
