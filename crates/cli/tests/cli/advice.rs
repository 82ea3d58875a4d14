//! What is advised where arguments are refused.

use crate::room::Room;

#[test]
fn a_verb_that_is_left_out_is_named() {
    let room = Room::new();
    room.write("in.jsonl", "{\"text\":\"a b c\"}\n");
    room.write("-1.jsonl", "{\"text\":\"a b c\"}\n");
    for (args, tip) in [
        (
            "--similarity 0.9 dedup in.jsonl",
            "options come behind the verb: nearprint dedup --similarity",
        ),
        ("in.jsonl -o out.jsonl", "the verb comes first: nearprint dedup in.jsonl"),
        ("recipe text", "the verb comes first: nearprint recipe show text"),
        ("store pages", "the verb comes first: nearprint store stats pages"),
        ("index in.jsonl", "the verb comes first: nearprint index build in.jsonl"),
        ("idf in.jsonl", "the verb comes first: nearprint idf build in.jsonl"),
        ("shard work/", "the verb comes first: nearprint shard status work/"),
        ("shard in.jsonl", "the verb comes first: nearprint shard create WORK in.jsonl"),
        ("store in.jsonl", "the verb comes first: nearprint store add STORE in.jsonl"),
        ("dedup --input in.jsonl", "files are named without a flag: nearprint dedup IN"),
        ("pairs --input in.jsonl", "files are named without a flag: nearprint pairs "),
        ("store add --input in.jsonl", "files are named without a flag: nearprint store add "),
        ("store --input in.jsonl", "files are named without a flag: nearprint store add STORE "),
        ("shard --input in.jsonl", "files are named without a flag: nearprint shard create WORK "),
        ("dedup in.jsonl -o x --limit 5", "all rows are written: head -n N takes the first ones"),
        ("dedup -1.jsonl -o x", "a file whose name begins with a hyphen is ./-1.jsonl"),
        ("dedup in.jsonl -o -2.jsonl", "a file whose name begins with a hyphen is ./-2.jsonl"),
        ("dedup in.jsonl -k -1", "use a whole number from 0 on"),
        ("pairs in.jsonl -k=-1", "use a whole number from 0 on"),
        ("dedup in.jsonl --audit -5", "use a whole number from 1 to 10000"),
        ("dedup in.jsonl --threads -2", "use a positive whole number"),
        ("version", "nearprint -V prints the version"),
        ("-v", "nearprint -V prints the version"),
        ("dedup in.jsonl -v", "--summary FILE has every figure of a run"),
        (
            "dedup in.jsonl -t 4",
            "--similarity S is the least share of features in common, --threads N",
        ),
        ("dedup in.jsonl --text body", "--text-field FIELD names the field of the text"),
        ("dedup in.jsonl --exact", "--equal bytes takes equal texts alone for duplicates"),
        ("dedup in.jsonl --k 3", "-k K: near-duplicates differ in at most K bits"),
        ("passages in.jsonl --ngram 10", "--length N is the least length of a passage"),
        ("compare 1 2 in.jsonl", "--in CORPUS names the corpus: --in in.jsonl"),
        ("compare in.jsonl d0 d300", "--in CORPUS names the corpus: --in in.jsonl"),
        (
            "compare d0 in.jsonl d300 --similarity 0.9",
            "--in CORPUS names the corpus: --in in.jsonl",
        ),
        ("decide in.jsonl 7", "--in CORPUS names the corpus: --in 7"),
        ("dedup in.jsonl -o x --format json", "--format says how an estimate is printed"),
        ("--verbose", "--summary FILE has every figure of a run"),
        ("dedup in.jsonl out.jsonl", "-o names the output: -o out.jsonl"),
        ("dedup in.jsonl in.jsonl", "-o OUT names the output, and -o - standard output"),
        ("dedup in.jsonl --removed r.jsonl", "-o OUT names the output, and -o - standard output"),
        ("split in.jsonl", "-o OUT names the output\n"),
        ("clean in.jsonl -o x --threshold 0.9", "--dedup='--similarity 0.9' hands it to that step"),
        ("clean in.jsonl -o x --keep=first", "--dedup='--keep first' hands it to that step"),
        ("clean in.jsonl -o x --annotate", "--dedup='--annotate' hands it to that step"),
        ("clean in.jsonl -o x --length 9", "--passages='--length 9' hands it to that step"),
        ("clean in.jsonl -o x --share 0.9", "--decontaminate='--share 0.9' hands it to that step"),
        ("clean in.jsonl -o x --removed r", "--lists DIR has what went, and why"),
        ("decontaminate in.jsonl --threshold 1", "--share S is the share of an item"),
        ("decontaminate in.jsonl --ngram 13", "items are sought by runs of four tokens"),
        ("decontaminate in.jsonl --question q", "--item-fields question=FIELD,answer=FIELD"),
        ("passages in.jsonl --min-length 9", "--length N is the least length of a passage"),
        ("passages in.jsonl --min-copies 9", "--copies N cuts only what at least N documents"),
        ("dedup in.jsonl -o x --counts", "--copies says how many documents each kept one"),
        ("dedup in.jsonl -o x --on text", "--text-field FIELD names the field that is compared"),
        ("dedup in.jsonl -o x --log f", "remarks are on standard error: 2> FILE keeps them"),
        ("dedup in.jsonl -o x --seed 1", "nothing is left to chance: the same input"),
        ("dedup in.jsonl -o x --sample 1", "all is read: shuf -n N draws lines beforehand"),
        ("tune in.jsonl -o x", "the answer is printed: > FILE keeps it"),
        ("tune in.jsonl --summary x", "--format json has all figures"),
        ("pairs in.jsonl --summary x", "nearprint dedup --summary FILE has the figures of a run"),
        ("plan 1M", "--docs N is their number: --docs 1M"),
        (
            "clean in.jsonl -o x --estimate",
            "nearprint dedup IN --estimate says what the first step",
        ),
        ("clean in.jsonl -o x --dry-run", "nearprint dedup IN --estimate says what the first step"),
        ("pairs in.jsonl --estimate", "nearprint dedup IN --estimate says what a run of dedup"),
        ("tune in.jsonl --estimate", "nearprint dedup IN --estimate says what a run of dedup"),
        ("tune in.jsonl -k 3", "radii are rows of the answer: nearprint dedup takes -k"),
        ("tune in.jsonl --labels x", "nearprint evaluate IN --labels FILE judges by labels"),
        ("evaluate in.jsonl in.jsonl", "--labels FILE names the labels: --labels in.jsonl"),
        (
            "evaluate in.jsonl in.jsonl --format json",
            "--labels FILE names the labels: --labels in.jsonl",
        ),
        ("tune in.jsonl --method m", "--similarity S says what near-duplicates are"),
        ("passages in.jsonl --method m", "--unit paragraph or line with --similarity S cuts"),
        ("clusters in.jsonl --keep longest", "nearprint dedup has --keep, and --clusters FILE"),
        ("dedup in.jsonl -o x --method m", "--similarity S or -k K says what near-duplicates are"),
        ("methods s.json -o x", "the answer is printed: > FILE keeps it"),
        ("dedup in.jsonl -o x --minhash", "--similarity and --recall say what is found"),
        ("dedup in.jsonl -o x --measure jaccard", "--verify RULE says how pairs are compared"),
        ("evaluate in.jsonl --truth t.tsv", "--labels FILE names the pairs, or the clusters"),
        ("dedup in.jsonl -o x --by site", "--group-by FIELD has figures of each value, --within"),
        ("dedup in.jsonl -r", "folders are read with all that is below them"),
        ("dedup in.jsonl -o x -k 3 --recall exact", "-k finds all pairs within K bits"),
    ] {
        let run = room.run(&args.split_whitespace().collect::<Vec<_>>());
        let said = format!("\n\n  tip: {tip}");
        assert!(run.code == Some(2) && run.stderr.contains(&said), "{args}: {}", run.stderr);
    }
    // The value of a flag is no file before another one.
    for flag in ["--similarity=0.8", "--text-field=text"] {
        let args = ["evaluate", flag, "in.jsonl"];
        let (name, value) = flag.split_once('=').unwrap();
        for args in [&args[..], &["evaluate", name, value, "in.jsonl"]] {
            let run = room.run(args);
            assert!(run.code == Some(2) && !run.stderr.contains("tip: "), "{}", run.stderr);
        }
    }
    let run = room.run(&["clean", "in.jsonl", "-o", "x", "--keep-by", "my f:max"]);
    let said = "tip: --dedup takes no value with a space: nearprint dedup takes --keep-by\n";
    assert!(run.code == Some(2) && run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn files_that_the_shell_made_of_a_pattern_are_not_taken_for_others() {
    let room = Room::new();
    let files = ["g/1.jsonl", "g/2.jsonl", "g/3.jsonl", "sets/a/test.jsonl", "sets/b/test.jsonl"];
    for file in files.iter().chain(&["evals/one.jsonl", "in.jsonl"]) {
        room.write(file, format!("{{\"text\":\"what is said of {file}\"}}\n"));
    }
    let two = "g/2.jsonl and 1 more follow it";
    for (args, flag, follow, pattern) in [
        ("contamination evals --in g/1.jsonl g/2.jsonl g/3.jsonl", "in", two, "g/*.jsonl"),
        ("contamination --in g/1.jsonl g/2.jsonl g/3.jsonl -q evals", "in", two, "g/*.jsonl"),
        (
            "contamination in.jsonl --in sets/a/test.jsonl sets/b/test.jsonl",
            "in",
            "sets/b/test.jsonl follows it",
            "sets/*/test.jsonl",
        ),
        (
            "decontaminate in.jsonl --against g/1.jsonl g/2.jsonl g/3.jsonl -o x",
            "against",
            two,
            "g/*.jsonl",
        ),
        (
            "dedup in.jsonl -o x --against g/1.jsonl g/2.jsonl g/3.jsonl",
            "against",
            two,
            "g/*.jsonl",
        ),
        ("passages in.jsonl -o x --against sets/a sets/b", "against", "sets/b follows", "sets/*"),
        (
            "contamination evals --in g/1.jsonl ./g/2.jsonl",
            "in",
            "./g/2.jsonl follows",
            "g/*.jsonl",
        ),
        ("contamination evals --in in.jsonl sets", "in", "sets follows", "*"),
        (
            "clean in.jsonl -o x --evals g/1.jsonl g/2.jsonl",
            "evals",
            "g/2.jsonl follows",
            "g/*.jsonl",
        ),
        ("pairs g --include g/1.jsonl g/2.jsonl", "include", "g/2.jsonl follows", "g/*.jsonl"),
        (
            "shard create work --job decontaminate in.jsonl --against g/1.jsonl g/2.jsonl -o x/",
            "against",
            "g/2.jsonl follows",
            "g/*.jsonl",
        ),
        ("decide in.jsonl -o x --in g/1.jsonl g/2.jsonl", "in", "g/2.jsonl follows", "g/*.jsonl"),
    ] {
        let run = room.run(&args.split_whitespace().collect::<Vec<_>>());
        let said = [
            format!("--{flag} takes one value, and {follow}"),
            format!("such as --{flag} '{pattern}', or repeat the flag."),
        ];
        let is_said = said.iter().all(|said| run.stderr.contains(said));
        assert!(run.code == Some(2) && is_said, "{args}: {}", run.stderr);
    }
    // What the verb takes may stand behind, be it of the same folder, and other files of it before.
    for args in [
        "contamination --in g/1.jsonl g/2.jsonl g/3.jsonl",
        "contamination g/2.jsonl g/3.jsonl evals --in g/1.jsonl",
        "contamination --in g/1.jsonl evals sets/a/test.jsonl",
        "contamination --in g/1.jsonl --in g/2.jsonl evals",
        "contamination --in=g/1.jsonl g/2.jsonl evals",
        "contamination --in sets evals in.jsonl",
        "decontaminate --against g/1.jsonl g/2.jsonl in.jsonl -o 3/",
        "decontaminate -qo 4/ --against evals in.jsonl",
        "dedup g --exclude in.jsonl evals -o 5/",
        "decontaminate --against g/1.jsonl g/2.jsonl -o 1.jsonl",
        "dedup --against g/1.jsonl in.jsonl evals -o 2/",
    ] {
        room.run(&args.split_whitespace().collect::<Vec<_>>()).done();
    }
}

#[test]
fn help_names_no_flag_that_the_verb_lacks() {
    let room = Room::new();
    // Of other verbs help may speak by name.
    for verb in ["pairs", "clusters", "compare", "stats", "tune", "evaluate", "fingerprint", "text"]
    {
        let run = room.run(&[verb, "--help"]).done();
        let help = run.text().split("\nExamples:").next().unwrap();
        let flags = |line: &str| -> Vec<String> {
            let is_part = |c: char| c.is_ascii_lowercase() || c == '-';
            let words = line.split(|c| !is_part(c)).filter(|word| word.starts_with("--"));
            words.filter(|word| word.len() > 2).map(str::to_owned).collect()
        };
        let is_own =
            |line: &&str| line.trim_start().starts_with('-') || line.contains("[alias: --");
        let own: Vec<_> = help.lines().filter(is_own).flat_map(flags).collect();
        let lacking = help.lines().flat_map(flags).find(|flag| !own.contains(flag));
        assert_eq!(lacking, None, "{verb}");
    }
}
