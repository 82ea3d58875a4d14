//! Sizes as people type them.

/// A size in bytes: a number, with K, M or G for powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(['K', 'M', 'G', 'k', 'm', 'g', 'B', 'i']);
    let unit = match text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase().as_str() {
        "" | "B" => 1_usize,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        _ => return Err("use a number of bytes such as 1048576, 64M or 2G".to_owned()),
    };
    let size = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    size.filter(|&size| size > 0)
        .ok_or_else(|| "use a number of bytes such as 1048576, 64M or 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!(bytes("17"), Ok(17));
        assert_eq!(bytes("64M"), Ok(64 << 20));
        assert_eq!(bytes("2GiB"), Ok(2 << 30));
        for wrong in ["", "M", "-1", "1T", "1.5G", "0", "99999999999G"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
