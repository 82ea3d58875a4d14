//! The command that `tune` suggests: `dedup` with the input and the recipe as they were given.

use crate::flags::input::InputFlags;
use crate::flags::names::with_other_names;
use crate::flags::recipe::RecipeFlags;
use clap::{Args, Command};
use std::collections::HashMap;
use std::ffi::OsString;

/// The command that asks for a setting by its flags. `words` are those of `tune`, without the name of the verb.
pub(super) fn suggestion<Tune: Args>(words: &[OsString], flags: &str) -> String {
    let own = values(Tune::augment_args(Command::new("tune")));
    let shared = RecipeFlags::augment_args(InputFlags::augment_args(Command::new("dedup")));
    let shared = values(shared);
    let mut taken = vec!["nearprint dedup".to_owned()];
    let mut words = words.iter().map(|word| word.to_string_lossy());
    let mut has_ended = false;
    while let Some(word) = words.next() {
        let flag = word.strip_prefix("--").filter(|_| !has_ended);
        let Some(flag) = flag else {
            let is_short = !has_ended && word.len() > 1 && word.starts_with('-');
            taken.extend((!is_short).then(|| quoted(&word)));
            continue;
        };
        has_ended |= flag.is_empty();
        let name = flag.split('=').next().unwrap_or(flag);
        let is_shared = flag.is_empty() || shared.contains_key(name);
        taken.extend(is_shared.then(|| quoted(&word)));
        if own.get(name) == Some(&true) && !flag.contains('=') {
            let value = words.next().filter(|_| is_shared);
            taken.extend(value.map(|value| quoted(&value)));
        }
    }
    // Flags stand before what `--` makes names of files.
    let end = taken.iter().position(|word| word == "--").unwrap_or(taken.len());
    taken.insert(end, format!("-o OUT {flags}"));
    taken.join(" ")
}

/// The long flags of a command by all their names, and whether each takes a value.
fn values(command: Command) -> HashMap<String, bool> {
    let mut values = HashMap::new();
    for flag in with_other_names(command).get_arguments() {
        let names = flag.get_long().into_iter().chain(flag.get_all_aliases().unwrap_or_default());
        let takes_value = flag.get_action().takes_values();
        values.extend(names.map(|name| (name.to_owned(), takes_value)));
    }
    values
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,%@+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verb::tune::Args;

    #[test]
    fn input_and_recipe_stay_and_the_flags_of_tune_go() {
        let of = |words: &str| {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            suggestion::<Args>(&words, "--similarity 0.7")
        };
        assert_eq!(
            of("in.jsonl --text-field body --documents 50 --lines --seed=3 -q --width 256 b*"),
            "nearprint dedup in.jsonl --text-field body --lines --width 256 'b*' -o OUT --similarity 0.7"
        );
        assert_eq!(
            of("--threshold 0.8 --jobs 2 --column=body --id-column key in.jsonl --overwrite"),
            "nearprint dedup --column=body --id-column key in.jsonl -o OUT --similarity 0.7"
        );
        assert_eq!(
            of("--page p.html --force --recipe=web - -- --it's"),
            r"nearprint dedup --recipe=web - -o OUT --similarity 0.7 -- '--it'\''s'"
        );
    }
}
