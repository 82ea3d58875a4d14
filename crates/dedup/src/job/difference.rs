//! How a job differs from an earlier one, setting by setting, for people.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// How a job differs from an earlier one, setting by setting; none where it does not.
pub(crate) fn difference(was: &Map<String, Value>, now: &Map<String, Value>) -> Option<String> {
    let settings: BTreeSet<_> = was.keys().chain(now.keys()).collect();
    let of = |job: &Map<String, Value>, setting| job.get(setting).cloned().unwrap_or_default();
    let differing = settings.into_iter().filter_map(|setting: &String| {
        let (was, now) = (of(was, setting), of(now, setting));
        (was != now).then(|| format!("{setting}: {}", change(&was, &now)))
    });
    let told = differing.collect::<Vec<_>>();
    (!told.is_empty()).then(|| told.join("; "))
}

/// How a setting changed.
fn change(was: &Value, now: &Value) -> String {
    let (Some(before), Some(after)) = (files(was), files(now)) else {
        return format!("it was {}, now it is {}", shown(was), shown(now));
    };
    match before.iter().zip(&after).find(|(was, now)| was != now) {
        None => format!("there were {} files, now there are {}", before.len(), after.len()),
        Some(((was, _), (now, _))) if was != now => format!("it had {was}, now it has {now}"),
        Some(((name, was), (_, now))) => match (was.split_first(), now.split_first()) {
            (Some((was, read)), Some((now, reads))) if was == now => {
                format!("{name} was read as {}, now it is as {}", listed(read), listed(reads))
            }
            _ => format!("{name} changed since"),
        },
    }
}

/// The name and the state of each file of a list of the [inputs](crate::job::identity::inputs); none of what is no such list.
fn files(setting: &Value) -> Option<Vec<(&str, &[Value])>> {
    let files = setting.as_array().filter(|files| !files.is_empty())?;
    files.iter().map(file).collect()
}

fn file(entry: &Value) -> Option<(&str, &[Value])> {
    let (name, state) = entry.as_array()?.split_first()?;
    Some((name.as_str()?, state))
}

/// The value of a setting, for people.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "not set".to_owned(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => listed(values),
        value => value.to_string(),
    }
}

fn listed(values: &[Value]) -> String {
    let names = values.iter().filter(|value| !value.is_null());
    let names = names.map(|value| value.as_str().map_or_else(|| shown(value), str::to_owned));
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::difference;
    use serde_json::{Value, json};

    #[test]
    fn what_differs_is_told_setting_by_setting() {
        let told = |was: Value, now: Value| {
            difference(was.as_object().unwrap(), now.as_object().unwrap()).unwrap_or_default()
        };
        let file = |name: &str, version: &str, format: &str| json!([name, version, format]);
        for (was, now, expected) in [
            (json!({"k": 3, "keep": "last"}), json!({"k": 3, "keep": "last"}), ""),
            (
                json!({"k": 3, "joint": null}),
                json!({"k": 4, "joint": " "}),
                "joint: it was not set, now it is \" \"; k: it was 3, now it is 4",
            ),
            // A setting that is named only where it is given.
            (json!({"within": "lang"}), json!({}), "within: it was \"lang\", now it is not set"),
            (
                json!({"reports": ["removed", "pairs"]}),
                json!({"reports": []}),
                "reports: it was removed, pairs, now it is none",
            ),
            (
                json!({"input": [file("a", "1", "text"), file("b", "1", "text")]}),
                json!({"input": [file("a", "1", "text"), file("b", "2", "text")]}),
                "input: b changed since",
            ),
            (
                json!({"input": [file("a", "1", "text")]}),
                json!({"input": [file("c", "1", "text"), file("a", "1", "text")]}),
                "input: it had a, now it has c",
            ),
            (
                json!({"input": [file("a", "1", "text"), file("b", "1", "text")]}),
                json!({"input": [file("a", "1", "text")]}),
                "input: there were 2 files, now there are 1",
            ),
            (
                json!({"input": [file("a", "1", "text")]}),
                json!({"input": [file("a", "1", "jsonl")]}),
                "input: a was read as text, now it is as jsonl",
            ),
        ] {
            assert_eq!(told(was, now), expected);
        }
    }
}
