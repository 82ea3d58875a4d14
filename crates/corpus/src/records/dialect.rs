//! How texts and tables are written, where that is another way than their formats have.

use crate::error::Error;
use encoding_rs::{Encoding, UTF_8};

/// What parts the fields of a table, and in which character set texts and tables are.
///
/// # Examples
///
/// ```
/// use nearprint_corpus::{Dialect, Discovery, ReadOptions, Reader};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.csv");
/// std::fs::write(&path, b"id;text\n1;caf\xe9\n")?;
/// let dialect = Dialect { delimiter: Some(b';'), ..Dialect::default() }.encoding("latin1")?;
/// let (sources, _) = Discovery::new().dialect(dialect).find(&[path])?;
/// let batch = Reader::new(&sources, ReadOptions::default()).next().unwrap()?;
/// assert_eq!(batch.record(0).unwrap().cells()?[1], ("text", "café".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// Between the fields of a table whose header has it. In others, and by default, a comma or a tab, as their format has
    /// it: files of a job may differ.
    pub delimiter: Option<u8>,
    /// Around fields that have delimiters, quotes or line ends in them.
    pub quote: Quote,
    /// Before a quote inside quotes. None by default: it stands there twice. Where quotes mean nothing it stands before a
    /// delimiter, a line end or a letter for one, as PostgreSQL's COPY and MySQL's LOAD DATA have it.
    pub escape: Option<u8>,
    /// The character set by its name in the Encoding Standard, which [`encoding`](Self::encoding) finds; UTF-8 where it
    /// is none. A byte order mark says it better: what begins with one is read as that says (Encoding Standard, section
    /// 6, "decode"), as is what begins as UTF-16 does.
    pub encoding: Option<&'static str>,
}

/// The quotes of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quote {
    /// `"`.
    #[default]
    Double,
    /// Another character.
    Other(u8),
    /// Quotes mean nothing: every line is a row.
    None,
}

impl Quote {
    /// The character.
    pub(crate) fn byte(self) -> Option<u8> {
        match self {
            Self::Double => Some(b'"'),
            Self::Other(byte) => Some(byte),
            Self::None => None,
        }
    }
}

/// The label of a character set that Python calls so, which writes `_` for `-` and has names of its own.
fn of_python(name: &str) -> String {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let label = match name.as_str() {
        "utf-8-sig" => "utf-8",
        "latin-1" | "latin" => "latin1",
        "u8" => "utf-8",
        "utf16" => "utf-16",
        "latin9" => "iso-8859-15",
        "iso8859-16" => "iso-8859-16",
        "cp874" => "windows-874",
        "mac-cyrillic" => "x-mac-cyrillic",
        "euckr" => "euc-kr",
        "eucjp" => "euc-jp",
        "shiftjis" => "shift_jis",
        "iso2022-jp" => "iso-2022-jp",
        "cp932" | "ms932" => "shift_jis",
        "cp936" | "ms936" => "gbk",
        "cp949" | "uhc" => "euc-kr",
        "cp950" => "big5",
        "utf-16-le" => "utf-16le",
        "utf-16-be" => "utf-16be",
        "mac-roman" => "macintosh",
        _ => &name,
    };
    label.to_owned()
}

impl Dialect {
    /// The same in the character set of this name or label, of those that the Encoding Standard has, or of Python for these.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownEncoding`].
    pub fn encoding(self, name: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownEncoding { found: name.to_owned() };
        let labelled = |name: &str| Encoding::for_label_no_replacement(name.as_bytes());
        let encoding = labelled(name).or_else(|| labelled(&of_python(name)));
        let encoding = encoding.ok_or_else(unknown)?;
        Ok(Self { encoding: Some(encoding.name()), ..self })
    }

    /// Whether it says how the fields of a table are written.
    pub(crate) fn is_of_tables(&self) -> bool {
        self.delimiter.is_some() || self.quote != Quote::Double || self.escape.is_some()
    }

    /// The character set that is decoded: none where that is UTF-8.
    pub(crate) fn decoded(&self) -> Option<&'static Encoding> {
        let encoding = Encoding::for_label(self.encoding?.as_bytes());
        encoding.filter(|encoding| *encoding != UTF_8)
    }

    /// What tells two dialects apart, where this one is not the usual: such as `delimiter ;, encoding UTF-16LE`.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        let byte = |byte: u8| byte.escape_ascii().to_string();
        let quote = match self.quote {
            Quote::Double => None,
            Quote::Other(quote) => Some(byte(quote)),
            Quote::None => Some("none".to_owned()),
        };
        let parts = [
            ("delimiter", self.delimiter.map(byte)),
            ("quote", quote),
            ("escape", self.escape.map(byte)),
            ("encoding", self.encoding.map(str::to_owned)),
        ];
        let named = parts.into_iter().filter_map(|(what, it)| Some(format!("{what} {}", it?)));
        let named: Vec<String> = named.collect();
        (!named.is_empty()).then(|| named.join(", "))
    }
}
