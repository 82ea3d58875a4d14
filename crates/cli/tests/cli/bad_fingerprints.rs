//! Stored fingerprints that cannot be used, and those that stand where texts are read.

use crate::room::Room;

#[test]
fn stored_fingerprints_are_checked() {
    let room = Room::new();
    room.write("odd.bin", [7; 20]);
    for (format, bits, bytes) in [("u64", 64, 8), ("u128", 128, 16), ("u256", 256, 32)] {
        let message = format!(
            "odd.bin: 20 bytes are not a whole number of {bits}-bit fingerprints ({bytes} bytes each); \
             is the file cut short, or of another width?"
        );
        room.refuses(&["pairs", "odd.bin", "--input-format", format, "-o", "o"], 1, &message);
        room.refuses(&["clusters", "odd.bin", "--input-format", format], 1, &message);
    }
    room.write("text.jsonl", "{\"text\":\"a b c\"}\n");
    let first = |row: &str| format!("{row}\n{{\"id\":2,\"fingerprint\":\"0123456789abcdef\"}}\n");
    room.write("short.jsonl", first("{\"fingerprint\":\"0123\"}"));
    let second = |row: &str| format!("{{\"id\":1,\"fingerprint\":\"0123456789abcdef\"}}\n{row}\n");
    let wide = "{\"id\":2,\"fingerprint\":\"0123456789abcdef0123456789abcdef\"}";
    room.write("mixed.jsonl", second(wide));
    room.write("letters.jsonl", second("{\"fingerprint\":\"0123456789abcdeg\"}"));
    room.write("number.jsonl", second("{\"fingerprint\":81985529216486895}"));
    room.write("bits.jsonl", second("{\"fingerprint\":[1,0,1]}"));
    room.write("first.jsonl", "{\"fingerprint\":[1,0,1]}\n");
    room.write("absent.jsonl", second("{\"id\":2,\"simhash\":\"0123456789abcdef\"}"));
    let row = |digits: &str| format!("{{\"fingerprint\":\"{digits}\"}}\n");
    room.write("binary.jsonl", row(&"0".repeat(64)) + &row(&"0110".repeat(16)));
    let decimal = ["7313131313131313", "7313131313131321", "1844674407370955", "7312031801503537"];
    room.write("decimal.jsonl", decimal.map(row).concat());
    // Copies tell no more than one of them.
    room.write("copies.jsonl", [decimal[0]; 9].map(row).concat());
    room.run(&["pairs", "copies.jsonl", "--fingerprints", "-o", "copies.pairs", "-q"]).done();
    for verb in ["pairs", "clusters"] {
        let refuses = |file: &str, code: i32, message: &str| {
            room.refuses(&[verb, file, "--fingerprints", "-o", "out.jsonl"], code, message);
        };
        refuses(
            "text.jsonl",
            2,
            "--fingerprints: the first row of text.jsonl has no field \"fingerprint\"",
        );
        refuses(
            "short.jsonl",
            1,
            "short.jsonl:1: field \"fingerprint\" has 4 characters; expected 16, 32 or 64 \
             hexadecimal digits",
        );
        let digits = "digits; expected 16, 32 or 64 hexadecimal digits";
        let seems = |place: &str, base: &str| {
            format!("{place}: field \"fingerprint\" seems to have {base} {digits}")
        };
        refuses("binary.jsonl", 1, &seems("binary.jsonl:2", "binary"));
        refuses("decimal.jsonl", 1, &seems("decimal.jsonl:1", "decimal"));
        let skips =
            [verb, "binary.jsonl", "--fingerprints", "-o", "out.jsonl", "--on-error", "skip"];
        room.refuses(&skips, 1, &seems("binary.jsonl:2", "binary"));
        refuses(
            "mixed.jsonl",
            1,
            "mixed.jsonl:2: field \"fingerprint\": expected 16 hexadecimal digits, found 32 \
             characters; every row has a fingerprint of the first row's width",
        );
        refuses(
            "number.jsonl",
            1,
            "number.jsonl:2: the field \"fingerprint\" must be a string of hex digits, found a \
             number",
        );
        refuses(
            "bits.jsonl",
            1,
            "bits.jsonl:2: the field \"fingerprint\" must be a string of hex digits, found an array",
        );
        refuses(
            "first.jsonl",
            1,
            "first.jsonl:1: field \"fingerprint\" is an array; expected a string of 16, 32 or 64 hexadecimal digits",
        );
        refuses(
            "absent.jsonl",
            1,
            "absent.jsonl:2: the row has no field \"fingerprint\"; it has \"id\", \"simhash\"",
        );
        let run = room.run(&[verb, "letters.jsonl"]);
        let said = "error: letters.jsonl:2: field \"fingerprint\": expected hexadecimal digits";
        assert!(run.code == Some(1) && run.stderr.starts_with(said), "{}", run.stderr);
        for flag in
            [["--recipe", "words"], ["--html", "main"], ["--idf", "x"], ["--language", "en"]]
        {
            let message = format!(
                "{0}: the input holds fingerprints, which stay as they are; leave {0} out, or give \
                 the texts",
                flag[0]
            );
            room.refuses(&[&[verb, "mixed.jsonl"], &flag[..]].concat(), 2, &message);
        }
        let asked = [verb, "mixed.jsonl", "--width", "128"];
        let message = "--width 128: the input holds fingerprints of 64 bits, which stay as they \
                       are; leave --width out";
        room.refuses(&asked, 2, message);
        let run = room.run(&[verb, "mixed.jsonl", "--on-error", "skip"]).done();
        assert!(run.stderr.starts_with("1 skipped (fingerprint), the first: mixed.jsonl:2: "));
    }
}

#[test]
fn fingerprints_in_place_of_texts_are_told_with_what_takes_them() {
    let room = Room::new();
    room.write(
        "in.jsonl",
        "{\"id\":1,\"text\":\"one two three\"}\n{\"id\":2,\"text\":\"four five\"}\n",
    );
    room.run(&["fingerprint", "in.jsonl", "-o", "fp.jsonl"]).done();
    let message = "fp.jsonl:1: the row has no field \"text\"; it has \"content\", \"fingerprint\", \"flags\", \"id\"; rows of \
                   fingerprints are for `nearprint pairs` and `nearprint clusters`; else name the field of the text with --text-field";
    for args in [
        &["dedup", "fp.jsonl", "-o", "out.jsonl"][..],
        &["dedup", "in.jsonl", "-o", "out.jsonl", "--against", "fp.jsonl"],
        &["compare", "fp.jsonl:1", "fp.jsonl:2"],
        &["compare", "1", "2", "--in", "fp.jsonl"],
    ] {
        room.refuses(args, 1, message);
    }
}
