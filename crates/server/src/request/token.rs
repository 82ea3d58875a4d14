//! Tokens: who may do what, and how often. The server keeps only a hash of each.

use crate::error::Error;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use serde::Deserialize;
use std::fmt;
use std::io;
use std::num::NonZeroU32;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use subtle::ConstantTimeEq;

/// How all tokens begin, so that people and programs recognise one that leaks.
const PREFIX: &str = "nearprint_";
/// Random bytes of a token.
const SECRET: usize = 32;

/// What a token allows. Each scope also allows what the scopes before it allow. [`NewToken`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Check, query and compare, read documents and figures.
    Read,
    /// Add, replace and remove documents.
    Write,
    /// Begin long tasks: compact, verify and copy the store, delete many documents, search for clusters.
    Admin,
}

impl Scope {
    /// The name, as files of tokens have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A new token. Only here is its secret known.
///
/// # Examples
/// ```
/// use nearprint_server::{NewToken, Scope};
///
/// let token = NewToken::new("crawler", Scope::Write, None)?;
/// assert!(token.secret.starts_with("nearprint_"));
/// assert!(token.entry.contains("scope = \"write\"") && !token.entry.contains(&token.secret));
/// # Ok::<(), nearprint_server::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NewToken {
    /// The secret that a client sends.
    pub secret: String,
    /// The entry for the file of tokens.
    pub entry: String,
}

impl NewToken {
    /// Makes a token of 256 random bits. `rate` is the number of requests a second, and of lines of batches.
    ///
    /// # Errors
    /// [`Error::System`] if the system has no random bytes.
    pub fn new(name: &str, scope: Scope, rate: Option<NonZeroU32>) -> Result<Self, Error> {
        let mut bytes = [0; SECRET];
        let random = SystemRandom::new().fill(&mut bytes);
        random.map_err(|_| Error::System(io::Error::other("no random bytes")))?;
        let secret = format!("{PREFIX}{}", Hash(bytes));
        let name = toml::Value::from(name);
        let hash = Hash::of(&secret);
        let rate = rate.map_or_else(String::new, |rate| format!("rate = {rate}\n"));
        let entry =
            format!("[[token]]\nname = {name}\nsha256 = \"{hash}\"\nscope = \"{scope}\"\n{rate}");
        Ok(Self { secret, entry })
    }
}

/// The hash of a token, shown in hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hash([u8; 32]);

impl Hash {
    fn of(secret: &str) -> Self {
        let mut hash = [0; 32];
        hash.copy_from_slice(digest(&SHA256, secret.as_bytes()).as_ref());
        Self(hash)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Hash {
    type Err = String;

    fn from_str(digits: &str) -> Result<Self, String> {
        // What was found is not told: it may be a token.
        let wrong =
            || "sha256: expected 64 hexadecimal digits, as `nearprint token` prints".to_owned();
        let mut hash = [0; 32];
        if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        for (byte, at) in hash.iter_mut().zip((0..64).step_by(2)) {
            let pair = digits.get(at..at + 2).ok_or_else(wrong)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
        }
        Ok(Self(hash))
    }
}

/// The file of tokens.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    token: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    sha256: String,
    scope: Scope,
    rate: Option<NonZeroU32>,
}

/// A token that is accepted.
pub(crate) struct Token {
    pub(crate) name: String,
    pub(crate) scope: Scope,
    hash: Hash,
    limiter: Option<(DefaultDirectRateLimiter, NonZeroU32)>,
}

impl Token {
    /// Takes up to `count` requests of the rate and returns how many it took, or how long to wait.
    pub(crate) fn take_some(&self, count: u32) -> Result<u32, Duration> {
        let Some((limiter, burst)) = &self.limiter else { return Ok(count) };
        let Some(taken) = NonZeroU32::new(count.min(burst.get())) else { return Ok(0) };
        match limiter.check_n(taken) {
            Ok(Ok(())) => Ok(taken.get()),
            Ok(Err(not_yet)) => Err(not_yet.wait_time_from(DefaultClock::default().now())),
            // Never: `taken` is at most the burst.
            Err(_) => Ok(taken.get()),
        }
    }
}

/// What is wrong in a file of tokens, and in which line. The line is not told: a token may be in it.
fn without_lines(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
    let what = error.message();
    if what.contains(PREFIX) {
        return format!("line {line}: a token is in the place of something else");
    }
    format!("line {line}: {what}")
}

/// All tokens that are accepted.
pub(crate) struct Tokens(Vec<Arc<Token>>);

impl Tokens {
    /// Reads the file of tokens. A token that `before` has too keeps what it has used of its rate.
    pub(crate) fn read(path: &Path, before: Option<&Self>) -> Result<Self, Error> {
        let content = |what: String| Error::Content { path: path.to_owned(), what };
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::File { path: path.to_owned(), source })?;
        let file: File =
            toml::from_str(&text).map_err(|error| content(without_lines(&text, &error)))?;
        if file.token.is_empty() {
            return Err(Error::NoToken { path: path.to_owned() });
        }
        let mut tokens: Vec<Arc<Token>> = Vec::new();
        for Entry { name, sha256, scope, rate } in file.token {
            let hash = sha256.parse().map_err(|what| content(format!("token {name:?}: {what}")))?;
            if tokens.iter().any(|other| other.name == name || other.hash == hash) {
                return Err(content(format!("token {name:?} appears twice")));
            }
            let same = |other: &&Arc<Token>| {
                let rated = other.limiter.as_ref().map(|(_, rate)| *rate);
                (&other.name, other.scope, other.hash, rated) == (&name, scope, hash, rate)
            };
            if let Some(same) = before.and_then(|before| before.0.iter().find(same)) {
                tokens.push(Arc::clone(same));
                continue;
            }
            let limiter = |rate| (DefaultDirectRateLimiter::direct(Quota::per_second(rate)), rate);
            tokens.push(Arc::new(Token { name, scope, hash, limiter: rate.map(limiter) }));
        }
        Ok(Self(tokens))
    }

    /// Whether the secret of this token is still accepted, and allows `scope`.
    pub(crate) fn allow(&self, token: &Token, scope: Scope) -> bool {
        self.0.iter().any(|other| other.hash == token.hash && other.scope >= scope)
    }

    /// The token that a client sent. Takes the same time for a wrong one as for a right one.
    pub(crate) fn find(&self, secret: &str) -> Option<Arc<Token>> {
        let hash = Hash::of(secret);
        let mut found = None;
        for token in &self.0 {
            if bool::from(token.hash.0.ct_eq(&hash.0)) {
                found = Some(Arc::clone(token));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Tokens, String> {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("tokens.toml");
        std::fs::write(&path, text).unwrap();
        Tokens::read(&path, None).map_err(|error| error.to_string())
    }

    #[test]
    fn a_new_token_is_known_by_its_entry_alone() {
        let rate = NonZeroU32::new(5);
        let a = NewToken::new("a \"crawler\"", Scope::Write, rate).unwrap();
        let b = NewToken::new("b", Scope::Read, None).unwrap();
        let tokens = read(&format!("{}{}", a.entry, b.entry)).unwrap();
        let found = tokens.find(&a.secret).unwrap();
        assert_eq!((found.name.as_str(), found.scope), ("a \"crawler\"", Scope::Write));
        assert_eq!(tokens.find(&b.secret).unwrap().name, "b");
        for wrong in ["", "nearprint_", &a.secret[..a.secret.len() - 1], &format!("{}0", b.secret)]
        {
            assert!(tokens.find(wrong).is_none(), "{wrong}");
        }
        assert!(a.secret.len() == PREFIX.len() + 64 && a.secret != b.secret);
    }

    #[test]
    fn a_rate_is_taken_up_and_comes_back() {
        let new = NewToken::new("a", Scope::Read, NonZeroU32::new(20)).unwrap();
        let token = read(&new.entry).unwrap().find(&new.secret).unwrap();
        assert_eq!(token.take_some(100), Ok(20));
        let wait = token.take_some(1).unwrap_err();
        assert!(wait <= Duration::from_millis(50), "{wait:?}");
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(token.take_some(1), Ok(1));
    }

    #[test]
    fn a_file_that_will_not_do_says_why() {
        let entry = NewToken::new("a", Scope::Read, None).unwrap().entry;
        for (text, expected) in [
            (String::new(), "missing field `token`"),
            ("token = []".to_owned(), "no token in it"),
            (format!("{entry}{entry}"), "token \"a\" appears twice"),
            (entry.replace("read", "root"), "unknown variant `root`"),
            (entry.replace("sha256 = \"", "sha256 = \"x"), "expected 64 hexadecimal digits"),
            (format!("{entry}rates = 3\n"), "unknown field `rates`"),
            (format!("{entry}rate = 0\n"), "nonzero"),
        ] {
            let error = read(&text).map(|_| ()).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_token_in_the_file_is_not_told() {
        let NewToken { secret, entry } = NewToken::new("a", Scope::Read, None).unwrap();
        let hash = entry.split('"').nth(3).unwrap();
        for text in [
            entry.replace(hash, &secret),
            format!("{entry}token = \"{secret}\"\n"),
            format!("{entry}rate = \"{secret}\"\n"),
            format!("{entry}{secret} = 1\n"),
            format!("{entry}{secret}\n"),
        ] {
            let error = read(&text).map(|_| ()).unwrap_err();
            assert!(
                !error.contains(&secret[PREFIX.len()..]) && error.lines().count() == 1,
                "{error}"
            );
        }
    }
}
