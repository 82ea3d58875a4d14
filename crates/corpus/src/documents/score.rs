//! What a document is worth beside others: a number or a date in a field of its row.

use crate::documents::fields::{Fields, Place};
use crate::documents::row::json_type;
use crate::error::Error;
use chrono::{DateTime, NaiveDate, NaiveDateTime};

/// The score of a row, which has `json` in its field.
pub(crate) fn of_json(
    json: Option<&str>,
    fields: &Fields,
    place: Place<'_>,
) -> Result<Option<f64>, Error> {
    let Some(json) = json else { return Ok(None) };
    let score = match json_type(json) {
        "null" => return Ok(None),
        "a number" => json.parse().ok(),
        "a string" => serde_json::from_str::<String>(json).ok().and_then(|text| of_text(&text)),
        _ => None,
    };
    score.map(Some).ok_or_else(|| wrong(json, fields, place))
}

/// The score of a row of a table that has `text` in its column.
pub(crate) fn of_cell(text: &str, fields: &Fields, place: Place<'_>) -> Result<f64, Error> {
    of_text(text).ok_or_else(|| wrong(text, fields, place))
}

fn wrong(found: &str, fields: &Fields, place: Place<'_>) -> Error {
    Error::ScoreType {
        place: place(),
        field: fields.score.clone().unwrap_or_default(),
        found: found.chars().take(40).collect(),
    }
}

/// A number, or a date with or without a time, as the seconds since 1970; a time without a zone is
/// UTC.
fn of_text(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return number.is_finite().then_some(number);
    }
    let time = DateTime::parse_from_rfc3339(text).map(|time| time.to_utc()).ok();
    let local = || {
        ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"].into_iter().find_map(|form| {
            NaiveDateTime::parse_from_str(text, form).ok().map(|time| time.and_utc())
        })
    };
    let date = || Some(text.parse::<NaiveDate>().ok()?.and_hms_opt(0, 0, 0)?.and_utc());
    let time = time.or_else(local).or_else(date)?;
    #[expect(clippy::cast_precision_loss, reason = "seconds are well below 2^53")]
    Some(time.timestamp() as f64 + f64::from(time.timestamp_subsec_nanos()) / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_dates_are_in_their_order() {
        let ascending = [
            "-1e3",
            "0",
            "1.5",
            "2001-01-01",
            "2001-01-01T00:00:01",
            "2001-01-01 00:00:01.5",
            "2001-01-01T00:00:01Z",
            "2001-01-01T00:00:01-02:00",
            "2024-02-29",
        ];
        let scores = ascending.map(|text| of_text(text).unwrap());
        assert_eq!(scores[..3], [-1000.0, 0.0, 1.5]);
        assert_eq!((scores[4], scores[5]), (scores[3] + 1.0, scores[4] + 0.5));
        assert_eq!((scores[6], scores[7]), (scores[4], scores[6] + 7200.0));
        assert!(scores[8] > scores[7]);
        for wrong in ["", "new", "NaN", "inf", "2001-02-29", "12:00"] {
            assert_eq!(of_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_no_score_is_told() {
        let fields = Fields { score: Some("when".to_owned()), ..Fields::default() };
        let of = |json| of_json(json, &fields, &|| "f:1".to_owned());
        assert_eq!(of(None).unwrap(), None);
        assert_eq!(of(Some("null")).unwrap(), None);
        assert_eq!(of(Some("\"7\"")).unwrap(), Some(7.0));
        let error = of(Some("[1]")).unwrap_err().to_string();
        assert!(error.starts_with("f:1: the field \"when\"") && error.contains("[1]"), "{error}");
    }
}
