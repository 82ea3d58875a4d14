//! What users of other tools type: names of flags that are taken for ours, and advice where there is no such flag.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use std::error::Error as _;
use std::num::ParseIntError;

/// A flag, and the other names that it takes where the verb has no flag of that name.
const NAMES: &[(&str, &[&str])] = &[
    ("similarity", &["threshold", "jaccard", "jaccard-threshold"]),
    ("text-field", &["text-column", "text-key", "column", "field"]),
    ("id-field", &["id", "id-column", "id-key"]),
    ("threads", &["workers", "jobs", "num-proc", "n-jobs"]),
    ("force", &["overwrite"]),
    ("against", &["evals"]),
    ("evals", &["against"]),
    ("output", &["out", "output-file", "output-dir"]),
];

/// A verb, and its other names.
const VERBS: &[(&str, &[&str])] =
    &[("dedup", &["dedupe", "deduplicate"]), ("compare", &["diff"]), ("init", &["create", "new"])];

/// Flags that there are none of, and what to do in their place.
const ADVICE: &[(&[&str], &str)] = &[
    (
        &["--input", "--in", "--inputs", "--file", "--files", "-i"],
        "files are named without a flag: nearprint dedup FILE",
    ),
    (
        &["--num-perm", "--num-hashes", "--permutations", "--bands", "--rows", "-b"],
        "--similarity and --recall say what is found: bands and rows follow from them",
    ),
    (
        &["--sim", "-t", "-s"],
        "--similarity S: the least share of features that near-duplicates have in common",
    ),
    (&["--limit", "--top", "--head", "-n"], "all rows are written: pipe them to head -n N"),
    (&["--dry-run"], "--estimate says what a run takes and finds, and writes nothing"),
    (&["--verbose", "-v", "--debug"], "--summary FILE has every figure of a run"),
    (&["--port", "--host", "--bind", "-p"], "--listen ADDRESS:PORT says where a store is served"),
    (
        &["--train", "--valid", "--test", "--train-size", "--test-size", "--ratio"],
        "--parts train=90,test=10 names the parts of split and their shares",
    ),
    (
        &["--format", "--output-format", "--csv", "--json"],
        "rows are JSON, one a line; the name of an output tells in what format documents are kept",
    ),
    (&["--against"], "nearprint dedup --against FILE removes what another corpus has"),
    (&["--sort"], "rows are in input order: sort them afterwards"),
    (
        &["--ngram", "--ngrams", "--ngram-size", "--shingle", "--shingles", "--shingle-size"],
        "a recipe says how features are made: nearprint recipe show text",
    ),
];

/// A command, and the verbs in it, with these names.
pub(crate) fn with_other_names(command: Command) -> Command {
    let taken: Vec<String> =
        command.get_arguments().filter_map(|arg| Some(arg.get_long()?.to_owned())).collect();
    let is_f_free = command.get_arguments().all(|arg| arg.get_short() != Some('f'));
    let command = command.mut_args(|arg| {
        let Some(long) = arg.get_long() else { return arg };
        let names =
            NAMES.iter().find(|(name, _)| *name == long).map_or(&[][..], |(_, names)| names);
        let free = names.iter().filter(|name| taken.iter().all(|other| other != *name));
        let arg = if long == "force" && is_f_free { arg.short_alias('f') } else { arg.clone() };
        arg.aliases(free.copied())
    });
    command.mut_subcommands(|verb| {
        let names = VERBS.iter().find(|(name, _)| *name == verb.get_name());
        with_other_names(verb.aliases(names.map_or(&[][..], |(_, names)| names).iter().copied()))
    })
}

/// A refusal with our advice, where there is some for the flag, in place of the name that is spelled most alike.
pub(crate) fn advised(mut refusal: Error) -> Error {
    let is_no_number = refusal.source().is_some_and(|source| source.is::<ParseIntError>());
    if is_no_number && refusal.kind() == ErrorKind::ValueValidation {
        return no_number(&refusal);
    }
    for (given, suggested) in [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
    ] {
        if let Some(ContextValue::String(given)) = refusal.get(given)
            && !refusal.get(suggested).is_some_and(|names| may_mean(given, names))
        {
            // The usage shows what was suggested too.
            if refusal.remove(suggested).is_some() {
                refusal.remove(ContextKind::Usage);
            }
        }
    }
    let Some(ContextValue::String(flag)) = refusal.get(ContextKind::InvalidArg) else {
        return refusal;
    };
    let is_flag = flag.starts_with('-');
    let advice = ADVICE.iter().find(|(flags, _)| flags.contains(&flag.as_str()));
    if refusal.kind() != ErrorKind::UnknownArgument {
        return refusal;
    }
    // That a flag could be the name of a file helps nobody.
    if is_flag {
        refusal.remove(ContextKind::Suggested);
    }
    if let Some((_, advice)) = advice {
        if refusal.remove(ContextKind::SuggestedArg).is_some() {
            refusal.remove(ContextKind::Usage);
        }
        refusal.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![StyledStr::from(*advice)]),
        );
    }
    refusal
}

/// Whether someone who typed a name may have meant one of these: a letter in four is another, or one begins with the other.
fn may_mean(given: &str, names: &ContextValue) -> bool {
    let given = given.trim_start_matches('-');
    let is_near = |name: &str| {
        let name = name.trim_start_matches('-');
        let most = (given.chars().count().min(name.chars().count()) / 4).max(1);
        strsim::osa_distance(given, name) <= most
            || given.len().min(name.len()) > 2
                && (name.starts_with(given) || given.starts_with(name))
    };
    match names {
        ContextValue::String(name) => is_near(name),
        ContextValue::Strings(names) => names.iter().any(|name| is_near(name)),
        _ => true,
    }
}

/// The refusal of a value that is no whole number, in words of ours.
fn no_number(refusal: &Error) -> Error {
    let mut told = Error::new(refusal.kind()).with_cmd(&Command::new("nearprint"));
    for (kind, value) in refusal.context() {
        told.insert(kind, value.clone());
    }
    let advice = vec![StyledStr::from("use a whole number")];
    told.insert(ContextKind::Suggested, ContextValue::StyledStrs(advice));
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, ArgAction};

    fn command() -> Command {
        let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
        let own =
            Command::new("own").args([flag("threads"), flag("jobs"), flag("force").short('f')]);
        let dedup = Command::new("dedup")
            .args([flag("force"), Arg::new("similarity").long("similarity")])
            .arg(Arg::new("format").long("format").short('g'));
        with_other_names(Command::new("all").subcommand(dedup).subcommand(own))
    }

    #[test]
    fn names_of_other_tools_are_ours() {
        let matches =
            command().try_get_matches_from(["all", "dedupe", "--threshold", "0.9", "-f"]).unwrap();
        let (verb, matches) = matches.subcommand().unwrap();
        assert_eq!(verb, "dedup");
        assert_eq!(matches.get_one::<String>("similarity").unwrap(), "0.9");
        assert!(matches.get_flag("force"));
    }

    #[test]
    fn a_verb_is_suggested_where_it_may_be_meant() {
        let refused = |verb| {
            let refusal = command().try_get_matches_from(["all", verb]).unwrap_err();
            advised(refusal).to_string()
        };
        assert!(refused("dedpu").contains("'dedup'"));
        let other = refused("dead");
        assert!(other.contains("unrecognized subcommand 'dead'"), "{other}");
        assert!(!other.contains("'dedup'"), "{other}");
    }

    #[test]
    fn a_name_of_a_flag_stays_its_own() {
        let matches = command().try_get_matches_from(["all", "own", "--jobs", "-f"]).unwrap();
        let (_, matches) = matches.subcommand().unwrap();
        assert!(
            matches.get_flag("jobs") && !matches.get_flag("threads") && matches.get_flag("force")
        );
    }

    #[test]
    fn advice_stands_in_the_place_of_a_likely_name() {
        let refused = |flag| {
            let refusal = command().try_get_matches_from(["all", "dedup", flag]).unwrap_err();
            advised(refusal).to_string()
        };
        let said = refused("--input");
        assert!(said.contains("unexpected argument '--input' found"), "{said}");
        assert!(said.contains("tip: files are named without a flag"), "{said}");
        assert!(!said.contains("similar argument"), "{said}");
        assert!(refused("--formt").contains("'--format'"));
        assert!(refused("--format-of-input").contains("'--format'"));
        let other = refused("--forward");
        assert!(!other.contains("similar") && !other.contains("--force"), "{other}");
        assert!(!other.contains("as a value"), "{other}");
        let said = refused("--dry-run");
        assert!(said.contains("tip: --estimate says") && !said.contains("as a value"), "{said}");
        assert!(refused("--sim").contains("tip: --similarity S: the least share"));
        let number = Arg::new("k").long("k").value_parser(clap::value_parser!(u32));
        let command = Command::new("all").arg(number);
        let said =
            advised(command.try_get_matches_from(["all", "--k", "x"]).unwrap_err()).to_string();
        assert!(
            said.contains("invalid value 'x' for '--k <k>'") && !said.contains("digit"),
            "{said}"
        );
        assert!(said.contains("tip: use a whole number"), "{said}");
    }
}
