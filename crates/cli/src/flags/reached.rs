//! How far arguments name verbs, and what is advised there.

use crate::flags::advice::{ADVICE, CALL, NAMES, SHOWN, STEPS};
use crate::flags::expanded::{Expanded, FLAGS};
use clap::{Arg, Command};
use nearprint_corpus::InputFormat;
use std::ffi::OsString;
use std::path::Path;

/// How far arguments name verbs.
pub(super) struct Reached<'a> {
    program: &'a Command,
    /// The last verb, or the command itself.
    command: &'a Command,
    /// All of them.
    called: Vec<&'a str>,
    /// The arguments behind it.
    rest: &'a [OsString],
}

impl<'a> Reached<'a> {
    pub(super) fn by(command: &'a Command, args: &'a [OsString]) -> Self {
        let rest = args.get(1..).unwrap_or_default();
        let mut at = Self { program: command, command, called: vec![command.get_name()], rest };
        while let [word, rest @ ..] = at.rest
            && let Some(verb) = word.to_str().and_then(|word| at.command.find_subcommand(word))
        {
            at.called.push(verb.get_name());
            (at.command, at.rest) = (verb, rest);
        }
        at
    }

    /// Whether the verb has a flag of this name.
    fn has(&self, name: &str) -> bool {
        let short = |arg: &Arg| arg.get_short().is_some_and(|it| name == it.to_string());
        self.command.get_arguments().any(|arg| arg.get_long() == Some(name) || short(arg))
    }

    /// The name of the flag of which this is another name.
    pub(super) fn own_name(&self, flag: &str) -> Option<String> {
        let other = Some(flag.trim_start_matches('-')).filter(|other| !self.has(other))?;
        let own = NAMES.iter().find(|(_, others)| others.contains(&other));
        own.map(|(name, _)| format!("--{name}"))
    }

    /// What to do in the place of a flag.
    pub(super) fn advice(&self, flag: &str) -> Option<String> {
        let fits = |(flags, needs, _): &&(&[&str], &str, &str)| {
            flags.contains(&flag) && (needs.is_empty() || self.has(needs))
        };
        let advice = ADVICE.iter().find(fits).map(|(_, _, advice)| *advice)?;
        match advice.split_once(CALL) {
            Some((before, behind)) => Some(format!("{before}{}{behind}", self.call()?)),
            None => Some(advice.to_owned()),
        }
    }

    /// How the verb is called with what it takes without a flag; none where it takes nothing so.
    fn call(&self) -> Option<String> {
        let shown = match self.command.has_subcommands() {
            true => self.command.find_subcommand(self.before_documents()?.split(' ').next()?)?,
            false => self.command,
        };
        let verb = self.command.has_subcommands().then(|| shown.get_name());
        let names = shown.get_positionals().flat_map(|it| it.get_value_names().unwrap_or_default());
        let names: Vec<&str> = names.map(|name| name.as_str()).collect();
        let words = self.called.iter().copied().chain(verb).chain(names.iter().copied());
        (!names.is_empty()).then(|| words.collect::<Vec<_>>().join(" "))
    }

    /// That a flag belongs behind the verb, where none came yet.
    pub(super) fn option_behind(&self, flag: &str) -> Option<String> {
        let words = self.rest.iter().filter_map(|word| word.to_str());
        let named = words.filter_map(|word| self.command.find_subcommand(word)).next();
        let verb = named.map(Command::get_name).or_else(|| self.shown())?;
        // What the verb lacks too is advised as there.
        let there = self.command.find_subcommand(verb).map(|command| Self {
            program: self.program,
            command,
            called: self.called.iter().copied().chain([verb]).collect(),
            rest: self.rest,
        });
        let there = there.filter(|there| !there.has(flag.trim_start_matches('-')));
        let advice = there.and_then(|there| there.advice(flag));
        Some(advice.unwrap_or_else(|| {
            format!("options come behind the verb: {} {verb} {flag}", self.called.join(" "))
        }))
    }

    /// How a flag of a step is handed on by the verb that runs it.
    pub(super) fn of_step(&self, flag: &str) -> Option<String> {
        let long = flag.strip_prefix("--")?;
        let is_it = |arg: &&Arg| is_called(arg, long);
        let (step, arg) = STEPS.iter().filter(|step| self.has(step)).find_map(|step| {
            let verb = self.program.find_subcommand(step)?;
            Some((step, verb.get_arguments().find(is_it)?))
        })?;
        let mut words = self.rest.iter().filter_map(|word| word.to_str());
        let mut value = || {
            let word = words.find(|word| word.starts_with(flag))?;
            word.split_once('=').map(|(_, value)| value).or_else(|| words.next())
        };
        let value = if arg.get_action().takes_values() { value() } else { None };
        let words: Vec<&str> = arg.get_long().into_iter().chain(value).collect();
        if value.is_some_and(|value| value.contains(char::is_whitespace)) {
            return Some(format!(
                "--{step} takes no value with a space: nearprint {step} takes --{}",
                arg.get_long()?
            ));
        }
        Some(format!("--{step}='--{}' hands it to that step", words.join(" ")))
    }

    /// How the output is named: the last word may be meant for it.
    pub(super) fn output(&self) -> String {
        let is_new = |word: &str| {
            let path = Path::new(word);
            !word.starts_with('-') && InputFormat::of_name(path).is_some() && !path.exists()
        };
        match self.positionals().as_slice() {
            [_, .., last] if is_new(last) => {
                format!("-o names the output: -o {last}")
            }
            _ if self.command.get_name() == "dedup" => {
                "-o OUT names the output, and -o - standard output".to_owned()
            }
            _ => "-o OUT names the output".to_owned(),
        }
    }

    /// How labels are named that were typed without their flag, behind the corpus.
    pub(super) fn labels(&self) -> Option<String> {
        match self.positionals().as_slice() {
            [_, .., last] if Path::new(last).is_file() => {
                Some(format!("--labels FILE names the labels: --labels {last}"))
            }
            _ => None,
        }
    }

    /// The flag that a word names.
    fn flag(&self, word: &str) -> Option<&'a Arg> {
        let name = word.strip_prefix('-').filter(|name| !name.is_empty())?;
        let is_it = |arg: &&Arg| match name.strip_prefix('-') {
            Some(long) => is_called(arg, long),
            None => name.chars().eq(arg.get_short()),
        };
        self.command.get_arguments().find(is_it)
    }

    /// What to type where the shell may have made files of a pattern, of which a flag takes the first alone: those behind
    /// its value, beside others that the verb takes without a flag.
    pub(super) fn expanded(&self) -> Option<String> {
        let positionals = |words| self.positionals_of(words);
        let all = self.positionals().len();
        let (flag, Expanded { files, pattern }) =
            self.rest.iter().enumerate().find_map(|(at, word)| {
                let long = self.flag(word.to_str()?)?.get_long()?;
                let (value, behind) = self.rest.get(at + 1..)?.split_first()?;
                let before = !positionals(self.rest.get(..at)?).is_empty();
                // A corpus is never taken for eval sets; other inputs may well stand behind an eval set of their folder.
                let is_corpus = long == "in";
                let found = FLAGS
                    .contains(&long)
                    .then(|| Expanded::behind(value, behind, before && is_corpus));
                let is_other =
                    |found: &Expanded<'_>| before || is_corpus && found.files.len() < all;
                Some((long, found.flatten().filter(is_other)?))
            })?;
        let (first, more) = files.split_first()?;
        let (first, pattern) = (first.to_string_lossy(), pattern.display());
        let follow = match more.len() {
            0 => format!("{first} follows"),
            more => format!("{first} and {more} more follow"),
        };
        Some(format!(
            "--{flag} takes one value, and {follow} it, as if the shell had replaced a pattern. Quote the pattern, such as \
             --{flag} '{pattern}', or repeat the flag. A file that is not meant for --{flag} comes before it"
        ))
    }

    /// The words that are neither flags nor values of these.
    fn positionals(&self) -> Vec<&'a str> {
        self.positionals_of(self.rest)
    }

    /// Those of some words.
    fn positionals_of(&self, words: &'a [OsString]) -> Vec<&'a str> {
        let takes_values = |arg: &Arg| arg.get_action().takes_values();
        let takes_value = |word: &str| match word.strip_prefix('-').map(|letters| letters.chars()) {
            // Of several letters in one word the last may take a value.
            Some(letters) if !word.starts_with("--") => {
                let short = |letter: char| {
                    let mut arguments = self.command.get_arguments();
                    arguments.find(|arg| arg.get_short() == Some(letter))
                };
                let takes: Vec<bool> =
                    letters.map(|it| short(it).is_some_and(takes_values)).collect();
                takes.iter().position(|takes| *takes) == takes.len().checked_sub(1)
            }
            _ => self.flag(word).is_some_and(takes_values),
        };
        let mut words = words.iter().filter_map(|word| word.to_str());
        let mut positionals = Vec::new();
        while let Some(word) = words.next() {
            if word == "-" || !word.starts_with('-') {
                positionals.push(word);
            } else if takes_value(word) {
                words.next();
            }
        }
        positionals
    }

    /// How a number of documents is given that was typed without its flag.
    pub(super) fn number(&self, word: &str) -> Option<String> {
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        (is_number && self.has("docs")).then(|| format!("--docs N is their number: --docs {word}"))
    }

    /// How a corpus is named that was typed without its flag: behind what the verb takes, or as one of two ids.
    pub(super) fn corpus(&self, word: &str) -> Option<String> {
        let is_meant = !word.starts_with('-') && self.has("in");
        let is_named = || self.rest.iter().any(|word| word == "--in");
        let ids = if self.command.get_positionals().count() == 2 { 2 } else { 0 };
        let words = self.rest.iter().take(ids).filter_map(|word| word.to_str());
        let mut files = [word].into_iter().chain(words).filter(|word| Path::new(word).exists());
        let corpus = files.next().unwrap_or(word);
        (is_meant && !is_named()).then(|| format!("--in CORPUS names the corpus: --in {corpus}"))
    }

    /// That a verb belongs before a word that is a file, or stands alone.
    pub(super) fn verb_before(&self, word: &str) -> Option<String> {
        if word == "version" {
            return Some("nearprint -V prints the version".to_owned());
        }
        let is_file = word == "-" || word.contains(['.', '/', '*']) || Path::new(word).exists();
        let next = self.rest.get(1).map(|next| next.to_string_lossy());
        let is_alone = self.called.len() > 1 && next.is_none_or(|next| next.starts_with('-'));
        let documents = InputFormat::of_name(Path::new(word)).is_some() || matches!(word, "-");
        let shown = if documents { self.before_documents() } else { self.shown() };
        let verb = shown.filter(|_| is_file || is_alone)?;
        Some(format!("the verb comes first: {} {verb} {word}", self.called.join(" ")))
    }

    /// The verbs that there are.
    pub(super) fn verbs(&self) -> Option<String> {
        let shown = self.command.get_subcommands().filter(|verb| !verb.is_hide_set());
        let names: Vec<&str> = shown.map(Command::get_name).collect();
        (!names.is_empty()).then(|| format!("the verbs are {}", names.join(", ")))
    }

    /// The verb that stands for all of the command.
    fn shown(&self) -> Option<&'static str> {
        let name = self.command.get_name();
        SHOWN.iter().find(|(command, ..)| *command == name).map(|(_, verb, _)| *verb)
    }

    /// The same of whoever names documents, with what stands between the verb and these.
    fn before_documents(&self) -> Option<&'static str> {
        let name = self.command.get_name();
        SHOWN.iter().find(|(command, ..)| *command == name).map(|(.., words)| *words)
    }
}

/// Whether an argument has this name, or it as another one.
fn is_called(arg: &Arg, long: &str) -> bool {
    arg.get_long() == Some(long) || arg.get_all_aliases().is_some_and(|names| names.contains(&long))
}
