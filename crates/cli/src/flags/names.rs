//! What users of other tools type: names of flags that are taken for ours, and advice where there is no such flag.

use crate::flags::advice::{NAMES, VERBS};
use crate::flags::number::{is_no_number, number_said, told_of_number};
use crate::flags::reached::Reached;
use crate::usage::WrongUsage;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Args, Command, Error};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A command, and the verbs in it, with these names.
pub(crate) fn with_other_names(command: Command) -> Command {
    let taken: Vec<String> =
        command.get_arguments().filter_map(|arg| Some(arg.get_long()?.to_owned())).collect();
    let is_f_free = command.get_arguments().all(|arg| arg.get_short() != Some('f'));
    let command = command.mut_args(|arg| {
        // A number that will not do is told as such: as the name of a flag it would only be unknown.
        let takes_number = !arg.is_positional() && arg.get_action().takes_values();
        let arg = if takes_number { arg.allow_negative_numbers(true) } else { arg };
        let Some(long) = arg.get_long() else { return arg };
        let names =
            NAMES.iter().find(|(name, _)| *name == long).map_or(&[][..], |(_, names)| names);
        let free = names.iter().filter(|name| taken.iter().all(|other| other != *name));
        let arg = if long == "force" && is_f_free { arg.short_alias('f') } else { arg };
        arg.aliases(free.copied())
    });
    command.mut_subcommands(|verb| {
        let names = VERBS.iter().find(|(name, _)| *name == verb.get_name());
        with_other_names(verb.aliases(names.map_or(&[][..], |(_, names)| names).iter().copied()))
    })
}

/// A refusal of these arguments by `command`, with our advice, where there is some, in place of the name that is spelled
/// most alike.
pub(crate) fn advised(mut refusal: Error, command: &Command, args: &[OsString]) -> Error {
    if let Some(advice) = number_said(&refusal) {
        return told_of_number(&refusal, advice);
    }
    if refusal.kind() == ErrorKind::UnknownArgument
        && let Some(args) = with_joined_number(args)
        && let Err(of_value) = command.clone().try_get_matches_from(&args)
        && of_value.kind() == ErrorKind::ValueValidation
    {
        return advised(of_value, command, &args);
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
    let at = Reached::by(command, args);
    if let Some(ContextValue::String(name)) = refusal.get(ContextKind::SuggestedArg)
        && let Some(own) = at.own_name(name)
    {
        refusal.insert(ContextKind::SuggestedArg, ContextValue::String(own));
    }
    let advice = match refusal.kind() {
        ErrorKind::UnknownArgument => {
            let Some(ContextValue::String(flag)) = refusal.get(ContextKind::InvalidArg) else {
                return refusal;
            };
            let file = file_like(flag, args);
            let advice = file.or_else(|| at.advice(flag)).or_else(|| at.of_step(flag));
            let advice = advice.or_else(|| at.option_behind(flag));
            let advice = advice.or_else(|| at.corpus(flag)).or_else(|| at.number(flag));
            let advice = advice.or_else(|| at.expanded());
            // That a flag could be the name of a file helps nobody.
            if flag.starts_with('-') {
                refusal.remove(ContextKind::Suggested);
            }
            advice
        }
        ErrorKind::InvalidSubcommand => {
            let word = refusal.get(ContextKind::InvalidSubcommand).map(ToString::to_string);
            let is_meant = refusal.get(ContextKind::SuggestedSubcommand).is_some();
            let word = word.filter(|_| !is_meant);
            word.and_then(|word| at.verb_before(&word).or_else(|| at.verbs()))
        }
        ErrorKind::MissingRequiredArgument if lacks(&refusal, "--output <OUT>") => {
            Some(at.output())
        }
        ErrorKind::MissingRequiredArgument if lacks(&refusal, "--labels <FILE>") => at.labels(),
        ErrorKind::MissingRequiredArgument if lacks(&refusal, "--estimate") => Some(
            "--format says how an estimate is printed; --summary FILE has the figures of a run"
                .to_owned(),
        ),
        ErrorKind::ArgumentConflict if is_about(&refusal, "-k <K>", "--recall <R>") => {
            Some("-k finds all pairs within K bits: leave --recall out".to_owned())
        }
        _ => None,
    };
    if let Some(advice) = advice {
        if refusal.remove(ContextKind::SuggestedArg).is_some() {
            refusal.remove(ContextKind::Usage);
        }
        let advice = vec![StyledStr::from(advice)];
        refusal.insert(ContextKind::Suggested, ContextValue::StyledStrs(advice));
    }
    refusal
}

/// How a file is named that is there, or has the ending of one to be written, and was taken for this flag.
fn file_like(flag: &str, args: &[OsString]) -> Option<String> {
    let ends_as_one = |word: &str| {
        let ending = Path::new(word).extension().and_then(OsStr::to_str);
        let is_long = word.starts_with("--") || word.contains('=');
        !is_long && ending.is_some_and(|end| end.starts_with(|c: char| c.is_ascii_alphabetic()))
    };
    let is_it = |word: &&str| {
        flag.starts_with('-')
            && word.starts_with(flag)
            && (Path::new(word).exists() || ends_as_one(word))
    };
    let file = args.iter().filter_map(|word| word.to_str()).find(is_it)?;
    Some(format!("a file whose name begins with a hyphen is ./{file}"))
}

/// The arguments with the first that looks like a negative size, share or range as the value of the flag before it: the
/// parser takes it for the name of a flag.
fn with_joined_number(args: &[OsString]) -> Option<Vec<OsString>> {
    let is_number = |word: &str| {
        let digits = word.strip_prefix('-').map(|rest| rest.trim_start_matches('.'));
        digits.is_some_and(|digits| {
            digits.starts_with(|first: char| first.is_ascii_digit())
                || digits.parse::<f64>().is_ok()
        })
    };
    let at = args.iter().position(|word| word.to_str().is_some_and(is_number))?;
    let flag = args.get(at.checked_sub(1)?)?.to_str()?;
    let is_flag = flag.starts_with("--") && !flag.contains('=');
    let joined = OsString::from(format!("{flag}={}", args.get(at)?.to_str()?));
    let (before, behind) = (args.get(..at - 1)?, args.get(at + 1..)?);
    is_flag.then(|| before.iter().chain([&joined]).chain(behind).cloned().collect())
}

/// A refusal by the parser of the verb `name` within a run of another verb, which says "error" itself: without the usage,
/// as those are not the arguments that were typed.
pub(crate) fn of_verb<A: Args>(name: &'static str, error: anyhow::Error) -> anyhow::Error {
    let refusal = match error.downcast::<Error>() {
        Ok(refusal) => refusal,
        Err(error) => return error,
    };
    let command = with_other_names(A::augment_args(Command::new(name)));
    let mut refusal = advised(refusal, &command, &[]);
    refusal.remove(ContextKind::Usage);
    let said = refusal.to_string();
    let said = said.trim_end().trim_start_matches("error: ");
    let said = said.replace("try '--help'", &format!("try 'nearprint {name} --help'"));
    WrongUsage(format!("{name}: {said}")).into()
}

/// What the parser of a verb makes of arguments of a program, which are told as such by it.
pub(crate) fn matches_of<A: Args>(
    name: &'static str,
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<ArgMatches, Error> {
    let command = with_other_names(A::augment_args(Command::new(name)));
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let matches =
        command.clone().try_get_matches_from(&args).map_err(|refusal| {
            match number_said(&refusal) {
                Some(advice) if !is_no_number(&refusal) => told_of_number(&refusal, advice),
                _ => refusal,
            }
        })?;
    refuse_expanded(&command, &args)?;
    Ok(matches)
}

/// Refuses files behind the value of a flag that `command` would take for something else: the shell may have made them of
/// a pattern.
pub(crate) fn refuse_expanded(command: &Command, args: &[OsString]) -> Result<(), Error> {
    match Reached::by(command, args).expanded() {
        Some(told) => Err(Error::raw(ErrorKind::TooManyValues, format!("{told}\n"))),
        None => Ok(()),
    }
}

/// Whether nothing but this is missing.
fn lacks(refusal: &Error, name: &str) -> bool {
    matches!(refusal.get(ContextKind::InvalidArg), Some(ContextValue::Strings(names)) if *names == [name])
}

/// Whether a conflict is one of these two arguments.
fn is_about(refusal: &Error, one: &str, other: &str) -> bool {
    let names = |kind| match refusal.get(kind) {
        Some(ContextValue::String(name)) => vec![name.as_str()],
        Some(ContextValue::Strings(names)) => names.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let [given, before] = [ContextKind::InvalidArg, ContextKind::PriorArg].map(names);
    given.contains(&one) && before.contains(&other)
        || given.contains(&other) && before.contains(&one)
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::builder::ValueParser;
    use clap::{Arg, ArgAction, value_parser};
    use std::num::NonZeroU8;

    fn command() -> Command {
        let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
        let own =
            Command::new("own").args([flag("threads"), flag("jobs"), flag("force").short('f')]);
        let dedup = Command::new("dedup")
            .arg(Arg::new("inputs").value_name("IN"))
            .args([flag("force"), Arg::new("similarity").long("similarity")])
            .arg(Arg::new("format").long("format").short('g'));
        with_other_names(Command::new("all").subcommand(dedup).subcommand(own))
    }

    /// What is said of arguments that are refused.
    fn refused_by(command: Command, args: &[&str]) -> String {
        let words: Vec<_> = args.iter().map(OsString::from).collect();
        let refusal = command.clone().try_get_matches_from(&words).unwrap_err();
        advised(refusal, &command, &words).to_string()
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
        let refused = |verb| refused_by(command(), &["all", verb]);
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
        let refused = |flag| refused_by(command(), &["all", "dedup", flag]);
        let said = refused("--input");
        assert!(said.contains("unexpected argument '--input' found"), "{said}");
        assert!(said.contains("tip: files are named without a flag: all dedup IN\n"), "{said}");
        // A verb that takes none is not told so.
        let said = refused_by(command(), &["all", "own", "--input"]);
        assert!(!said.contains("tip:"), "{said}");
        assert!(!said.contains("similar argument"), "{said}");
        assert!(refused("--formt").contains("'--format'"));
        assert!(refused("--format-of-input").contains("'--format'"));
        let other = refused("--forward");
        assert!(!other.contains("similar") && !other.contains("--force"), "{other}");
        assert!(!other.contains("as a value"), "{other}");
        // An advice that names a flag is for verbs that have it.
        let said = refused("--dry-run");
        assert!(!said.contains("tip:"), "{said}");
        let estimates = flag_of("estimate");
        let said = refused_by(estimates, &["all", "--dry-run"]);
        assert!(said.contains("tip: --estimate says") && !said.contains("as a value"), "{said}");
        assert!(refused("--sim").contains("tip: --similarity S: the least share"));
        let said = refused_by(with_other_names(flag_of("text-field")), &["all", "--text-kye"]);
        assert!(said.contains("'--text-field'") && !said.contains("key'"), "{said}");
    }

    /// A command with one flag.
    fn flag_of(name: &'static str) -> Command {
        Command::new("all").arg(Arg::new(name).long(name))
    }

    #[test]
    fn the_verb_comes_first() {
        let recipe = Command::new("recipe").subcommand(Command::new("show").arg(Arg::new("name")));
        let parser = || {
            let dedup = Command::new("dedup").arg(Arg::new("similarity").long("similarity"));
            Command::new("nearprint").subcommand(dedup).subcommand(recipe.clone())
        };
        for (args, tip) in [
            (
                &["--similarity", "1", "dedup"][..],
                "options come behind the verb: nearprint dedup --similarity",
            ),
            (&["--similarity"], "options come behind the verb: nearprint dedup --similarity"),
            (&["a.jsonl", "b.jsonl"], "the verb comes first: nearprint dedup a.jsonl"),
            (&["recipe", "text"], "the verb comes first: nearprint recipe show text"),
            (&["recipe", "--width"], "options come behind the verb: nearprint recipe show --width"),
            (&["version"], "nearprint -V prints the version"),
        ] {
            let said = refused_by(parser(), &[&["nearprint"], args].concat());
            assert!(said.contains(&format!("tip: {tip}\n")), "{said}");
        }
        for (other, verbs) in
            [(&["scrub", "a.jsonl"][..], "dedup, recipe"), (&["recipe", "prune", "a"], "show")]
        {
            let said = refused_by(parser(), &[&["nearprint"], other].concat());
            assert!(said.contains(&format!("tip: the verbs are {verbs}\n")), "{said}");
        }
        let said = refused_by(parser(), &["nearprint", "dedup", "--nothing"]);
        assert!(!said.contains("tip: "), "{said}");
    }

    #[test]
    fn a_number_that_will_not_do_is_told_in_words() {
        let refused = |parser: ValueParser, value| {
            let number = Arg::new("k").long("k").value_parser(parser).allow_negative_numbers(true);
            refused_by(Command::new("all").arg(number), &["all", "--k", value])
        };
        let said = refused(value_parser!(u32).into(), "x");
        assert!(
            said.contains("invalid value 'x' for '--k <k>'") && !said.contains("digit"),
            "{said}"
        );
        assert!(said.contains("tip: use a whole number\n"), "{said}");
        for (parser, value, tip) in [
            (value_parser!(u16).range(1..=9).into(), "10", "use a whole number from 1 to 9"),
            (value_parser!(u32).range(2..).into(), "1", "use a whole number from 2 on"),
            (value_parser!(u64).range(2..).into(), "1", "use a whole number from 2 on"),
            (value_parser!(u32).into(), "5000000000", "use a whole number from 0 to 4294967295"),
            (value_parser!(NonZeroU8).into(), "0", "use a whole number from 1 on"),
            (value_parser!(NonZeroU8).into(), "256", "use a smaller whole number"),
        ] {
            let said = refused(parser, value);
            assert!(said.contains(&format!("tip: {tip}\n")) && !said.contains(".."), "{said}");
        }
    }

    #[test]
    fn a_negative_size_is_a_value() {
        let size = |given: &str| match given.strip_suffix('G') {
            Some(number) if !number.starts_with('-') => Ok(number.to_owned()),
            _ => Err("give a size, such as 4G"),
        };
        let memory = Arg::new("memory").long("memory").value_parser(size);
        let command = || Command::new("all").arg(memory.clone()).arg(Arg::new("file"));
        for args in [
            &["all", "--memory", "-1G"][..],
            &["all", "x", "--memory", "-.5G", "--more"],
            &["all", "--memory", "-inf"],
        ] {
            let said = refused_by(command(), args);
            let at = args.iter().position(|word| *word == "--memory").unwrap();
            let value = args[at + 1];
            assert!(
                said.contains(&format!("invalid value '{value}' for '--memory <memory>'")),
                "{said}"
            );
            assert!(said.contains("give a size, such as 4G"), "{said}");
        }
        for args in [&["all", "-1G"][..], &["all", "--less", "-1G"]] {
            let said = refused_by(command(), args);
            assert!(said.contains("unexpected argument"), "{said}");
        }
    }

    #[test]
    fn a_radius_and_a_recall_are_one_too_many() {
        let recall = Arg::new("recall").long("recall").value_name("R").conflicts_with("k");
        let command = Command::new("all").arg(recall).arg(Arg::new("k").short('k').value_name("K"));
        let said = refused_by(command, &["all", "-k", "3", "--recall", "exact"]);
        assert!(said.contains("tip: -k finds all pairs within K bits"), "{said}");
    }
}
