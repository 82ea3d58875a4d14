//! A place in the order of writes of a store, and the chain that tells one history of writes from another. Imports no
//! sibling.

use serde::{Deserialize, Serialize};
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::str::FromStr;
use xxhash_rust::xxh3::Xxh3Default;

/// A place in the order of writes of a store: behind so many groups of writes, of this history. Two stores at the same
/// position hold the same documents. As text it is the number of groups, a dash, and 32 hexadecimal digits.
///
/// # Examples
/// ```
/// use nearprint_fingerprint::Width;
/// use nearprint_store::{AnyFingerprint, Position, Settings, Store};
/// # let room = tempfile::tempdir()?;
/// # let path = room.path().join("codes");
///
/// let store = Store::create(&path, &Settings::ready_made(Width::W64))?;
/// let empty = store.position();
/// store.add("a", "00000000000000ff".parse::<AnyFingerprint>()?)?;
/// assert_eq!((empty.groups(), store.position().groups()), (0, 1));
/// assert_eq!(store.position().to_string().parse::<Position>()?, store.position());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) commits: u64,
    pub(crate) chain: Chain,
}

impl Position {
    /// Groups of writes that were committed before it.
    #[must_use]
    pub fn groups(&self) -> u64 {
        self.commits
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.commits, self.chain)
    }
}

impl FromStr for Position {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('-');
        let read = parts.and_then(|(commits, chain)| {
            let digits = commits.bytes().all(|byte| byte.is_ascii_digit());
            let commits = commits.parse().ok().filter(|_| digits)?;
            Some(Self { commits, chain: chain.parse().ok()? })
        });
        read.ok_or_else(|| {
            let found: String = text.chars().take(60).collect();
            format!(
                "{found:?} is not a position; expected a number, a dash and 32 hexadecimal digits, such as 7-{}",
                Chain(0)
            )
        })
    }
}

/// A hash over a history of groups of writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Chain(u128);

impl Chain {
    /// Bytes of a chain.
    pub(crate) const BYTES: usize = 16;

    /// The begin of a history that no other store has.
    pub(crate) fn begin() -> Self {
        // Each state is made of what the system gives as random.
        let random = || RandomState::new().build_hasher().finish();
        Self(u128::from(random()) << 64 | u128::from(random()))
    }

    /// Begins the link that the group of writes with this number adds.
    pub(crate) fn link(self, commit: u64) -> Link {
        let mut hash = Xxh3Default::new();
        hash.update(&self.0.to_le_bytes());
        hash.update(&commit.to_le_bytes());
        Link(hash)
    }

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        self.0.to_le_bytes()
    }

    pub(crate) fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Chain {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.len() == 2 * Self::BYTES && text.bytes().all(|it| it.is_ascii_hexdigit());
        let number = u128::from_str_radix(text, 16).ok().filter(|_| digits);
        number.map(Self).ok_or_else(|| format!("{text:?}: 32 hexadecimal digits are expected"))
    }
}

impl From<Chain> for String {
    fn from(chain: Chain) -> Self {
        chain.to_string()
    }
}

impl TryFrom<String> for Chain {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// What a group of writes adds to a chain.
pub(crate) struct Link(Xxh3Default);

impl Link {
    /// A document that was stored, by its number and its row.
    pub(crate) fn stored(&mut self, number: u64, row: &[u8]) {
        self.0.update(&number.to_le_bytes());
        self.0.update(row);
    }

    /// A document that was deleted.
    pub(crate) fn deleted(&mut self, number: u64) {
        self.0.update(&(!number).to_le_bytes());
    }

    /// The chain with the group.
    pub(crate) fn chain(self) -> Chain {
        Chain(self.0.digest128())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_tell_histories_apart() {
        let begin = Chain(7);
        let made = |commit, number, row: &[u8]| {
            let mut link = begin.link(commit);
            link.stored(number, row);
            link.chain()
        };
        let one = made(1, 0, b"row");
        assert_eq!(one, made(1, 0, b"row"));
        assert_eq!(one.to_string(), "e055cc05c26bf3fd71ba14891d42187b");
        let mut gone = begin.link(1);
        gone.deleted(0);
        let others = [made(2, 0, b"row"), made(1, 1, b"row"), made(1, 0, b"rox"), gone.chain()];
        for (at, other) in others.iter().enumerate() {
            assert_ne!(one, *other);
            assert!(!others[..at].contains(other));
        }
        assert_ne!(Chain::begin(), Chain::begin());
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let text = "12-0000000000000000000000000000002a";
        assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        for odd in [
            "",
            "12",
            "-2a",
            "12-2a",
            "x-0000000000000000000000000000002a",
            "+1-0000000000000000000000000000002a",
            "1-+000000000000000000000000000002a",
        ] {
            assert!(odd.parse::<Position>().unwrap_err().contains("is not a position"), "{odd}");
        }
    }
}
