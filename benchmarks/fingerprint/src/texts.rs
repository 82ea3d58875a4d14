//! Texts from a file of rows of one string each: its length as LEB128, then its bytes.

use std::error::Error;

/// Every text of the file.
pub fn read(path: &str) -> Result<Vec<String>, Box<dyn Error + Send + Sync>> {
    let bytes = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
    let mut rest = bytes.as_slice();
    let mut texts = Vec::new();
    while !rest.is_empty() {
        let digits = rest.iter().position(|byte| byte & 0x80 == 0).ok_or("a length without end")?;
        let length = rest[..=digits]
            .iter()
            .rev()
            .fold(0, |length, byte| length << 7 | usize::from(byte & 0x7f));
        let text = rest.get(digits + 1..digits + 1 + length).ok_or("a text without end")?;
        texts.push(String::from_utf8(text.to_vec())?);
        rest = &rest[digits + 1 + length..];
    }
    Ok(texts)
}
