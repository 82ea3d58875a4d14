//! CSV and TSV: rows out of quotes, line ends and headers, and back byte for byte.

use crate::{Folder, gzip};
use nearprint_corpus::{
    Batch, Dialect, Discovery, Error, Fields, InvalidUtf8, OutputOptions, Outputs, ReadOptions,
    Reader, Record, Source,
};
use proptest::prelude::*;

const TABLE: &str = "id,text,note\r\n1,\"two\nlines, \"\"quoted\"\"\",\r\n\r\n2,plain,x\n,no id,\n";

pub(crate) fn batches(
    sources: &[Source],
    batch_bytes: usize,
    max_record_bytes: usize,
) -> Vec<Batch> {
    let options = ReadOptions { batch_bytes, max_record_bytes, ..ReadOptions::default() };
    Reader::new(sources, options).map(Result::unwrap).collect()
}

/// Line, id and text of every record, or what is wrong with it.
pub(crate) fn documents(
    folder: &Folder,
    batches: &[Batch],
) -> Vec<Result<(u64, String, String), String>> {
    let records = batches.iter().flat_map(Batch::records);
    let read = records.map(|record| {
        let document = record
            .document(&Fields::default(), InvalidUtf8::Fail)
            .map_err(|error| folder.message(&error))?;
        let id = document.id.map_or("none".to_owned(), |id| id.to_string());
        Ok((record.line(), id, document.text.into_owned()))
    });
    read.collect()
}

/// The texts of a file of a dialect.
pub(crate) fn texts_of(
    folder: &Folder,
    name: &str,
    dialect: Dialect,
) -> Vec<Result<String, String>> {
    let discovery = Discovery::new().dialect(dialect);
    let (sources, _) = discovery.find(&[folder.name(name)]).unwrap();
    let found = documents(folder, &batches(&sources, 1 << 20, 1000));
    found.into_iter().map(|document| document.map(|(_, _, text)| text)).collect()
}

/// Everything that is carried and every record, as it stands.
fn raw(batches: &[Batch]) -> Vec<u8> {
    let mut raw = Vec::new();
    for batch in batches {
        for at in 0..=batch.len() {
            batch.carried_before(at).for_each(|carried| raw.extend_from_slice(carried.raw()));
            raw.extend_from_slice(batch.record(at).map_or(&b""[..], |record| record.held()));
        }
    }
    raw
}

#[test]
fn rows_are_records_whatever_is_in_their_quotes() {
    let folder = Folder::new();
    folder.write("a.csv", TABLE);
    folder.write("b.csv.gz", gzip(format!("\u{feff}{TABLE}").as_bytes()));
    folder.write("c.tsv", "id\ttext\n1\ta, \"b\"\n");
    for batch_bytes in [1, 2, 3, 7, 20, 1 << 20] {
        let found = batches(&folder.sources(&["a.csv"]), batch_bytes, 1000);
        let row = |line, id: &str, text: &str| Ok((line, id.to_owned(), text.to_owned()));
        let expected = [
            row(2, "\"1\"", "two\nlines, \"quoted\""),
            row(5, "\"2\"", "plain"),
            row(6, "none", "no id"),
        ];
        assert_eq!(documents(&folder, &found), expected);
        assert_eq!(String::from_utf8(raw(&found)).unwrap(), TABLE.replace("\r\n\r\n", "\r\n"));
        assert_eq!(found.last().unwrap().record(0).unwrap().table().unwrap().names().len(), 3);
        let marked = batches(&folder.sources(&["b.csv.gz"]), batch_bytes, 1000);
        assert_eq!(documents(&folder, &marked), expected);
        assert!(raw(&marked).starts_with(b"\xef\xbb\xbfid,text"));
        let found = batches(&folder.sources(&["c.tsv"]), batch_bytes, 1000);
        assert_eq!(documents(&folder, &found), [row(2, "\"1\"", "a, \"b\"")]);
    }
}

#[test]
fn a_line_that_names_the_separator_is_no_row() {
    let folder = Folder::new();
    for (name, mark, line, separator) in [
        ("a.csv", "", "sep=;\n", ";"),
        ("a.csv", "\u{feff}", "SEP=|\r\n", "|"),
        ("a.tsv", "", "\"sep=,\"\n", ","),
        ("table", "", "sep=\t\n", "\t"),
    ] {
        let table = ["id", "text\n1", "one, two\n"].join(separator);
        let text = if separator == "," { "one" } else { "one, two" };
        let table = if separator == "," { "id,text\n1,one\n".to_owned() } else { table };
        let table = format!("{mark}{line}{table}");
        folder.write(name, &table);
        for batch_bytes in [1, 3, 7, 1 << 20] {
            let found = batches(&folder.sources(&[name]), batch_bytes, 1000);
            let expected = [Ok((3, "\"1\"".to_owned(), text.to_owned()))];
            assert_eq!(documents(&folder, &found), expected, "{line:?}");
            // It stays with the header.
            assert_eq!(String::from_utf8(raw(&found)).unwrap(), table);
        }
    }
    // Whoever names another knows better; a column of that name is none.
    folder.write("b.csv", "sep=;\nid,text\n1,a;b\n");
    let dialect = Dialect { delimiter: Some(b','), ..Dialect::default() };
    assert_eq!(texts_of(&folder, "b.csv", dialect), [Ok("a;b".to_owned())]);
    folder.write("c.csv", "sep=x,text\n1,a\n");
    assert_eq!(texts_of(&folder, "c.csv", Dialect::default()), [Ok("a".to_owned())]);
}

#[test]
fn a_mark_and_blank_lines_before_a_header_are_left_out_in_batches_of_any_size() {
    let (folder, table) = (Folder::new(), "id,text\n1,one\n");
    folder.write("a.csv", format!("\u{feff}\n\r\n{table}"));
    for batch_bytes in [1, 2, 3, 4, 5, 6, 20, 1 << 20] {
        let found = batches(&folder.sources(&["a.csv"]), batch_bytes, 1000);
        assert_eq!(raw(&found), table.as_bytes(), "{batch_bytes}");
        let texts = documents(&folder, &found);
        assert_eq!(texts, [Ok((4, "\"1\"".to_owned(), "one".to_owned()))], "{batch_bytes}");
    }
}

#[test]
fn a_header_without_rows_is_carried() {
    let folder = Folder::new();
    for header in ["id,text\n", "id,text"] {
        folder.write("a.csv", header);
        let found = batches(&folder.sources(&["a.csv"]), 1 << 20, 100);
        assert_eq!((found.len(), found[0].len(), found[1].len()), (2, 0, 0));
        assert_eq!(raw(&found), header.as_bytes());
    }
    folder.write("a.csv", "\u{feff}\n\u{feff}\"a\"\n");
    for batch_bytes in [1, 1 << 20] {
        let found = batches(&folder.sources(&["a.csv"]), batch_bytes, 100);
        assert_eq!(raw(&found), "\u{feff}\"a\"\n".as_bytes());
    }
    folder.write("a.csv", "\u{feff}\u{feff}id,text\n7,one\n");
    for batch_bytes in [1, 1 << 20] {
        let found = documents(&folder, &batches(&folder.sources(&["a.csv"]), batch_bytes, 100));
        assert_eq!(found, [Ok((2, "\"7\"".to_owned(), "one".to_owned()))]);
    }
    folder.write("a.csv", "\u{feff}");
    assert!(batches(&folder.sources(&["a.csv"]), 1, 100).is_empty());
    folder.write("a.csv", "\n\n");
    assert!(batches(&folder.sources(&["a.csv"]), 1 << 20, 100).is_empty());
}

#[test]
fn a_table_without_rows_says_that_it_lacks_the_text() {
    let folder = Folder::new();
    let check = |batch_bytes, text: &str| {
        let fields = Fields { text: text.to_owned(), ..Fields::default() };
        let found = batches(&folder.sources(&["a.csv"]), batch_bytes, 1000);
        let checked = found.iter().map(|batch| batch.check_columns(&fields));
        let failed: Vec<_> = checked.filter_map(Result::err).collect();
        assert!(failed.len() < 2, "{failed:?}");
        failed.first().map(|error| folder.message(error))
    };
    let missing =
        "a.csv: the table has no row and no column \"text\"; its columns are \"id\", \"body\"";
    for batch_bytes in [1, 5, 1 << 20] {
        for header in ["id,body", "\u{feff}\n\nid,body\n\n"] {
            folder.write("a.csv", header);
            assert_eq!(check(batch_bytes, "text").as_deref(), Some(missing), "{header}");
            for text in ["body", "title,body"] {
                assert_eq!(check(batch_bytes, text), None, "{text}");
            }
            // The fields of a table are not within others.
            assert!(check(batch_bytes, "body.text").is_some());
        }
        folder.write("a.csv", "id;text\n");
        let other = "a.csv: the table has one column, whose name contains ';': another character separates its fields";
        assert_eq!(check(batch_bytes, "text").as_deref(), Some(other));
        // What has rows tells it of these, also where they are broken; and without a header nothing does.
        for content in
            ["\"\"\n", "id,body\n1,one\n", "id,body\n1\n", "id,body\n1,\"open\n", "", "\n"]
        {
            folder.write("a.csv", content);
            assert_eq!(check(batch_bytes, "text"), None, "{content:?}");
        }
    }
}

#[test]
fn broken_rows_name_their_line_and_the_next_is_read() {
    let folder = Folder::new();
    folder.write("a.csv", "id,text\n1,a,b\n2,good\n3\n4,\"open\n5,x\n");
    for batch_bytes in [1, 5, 1 << 20] {
        let found = documents(&folder, &batches(&folder.sources(&["a.csv"]), batch_bytes, 1000));
        let ragged = |line, found| {
            Err(format!(
                "a.csv:{line}: the row has {found} fields, and the header has 2; fix the row, and \
                 put quotes around fields with line ends, quotes or delimiters"
            ))
        };
        assert_eq!(found[0], ragged(2, 3));
        assert_eq!(found[1], Ok((3, "\"2\"".to_owned(), "good".to_owned())));
        assert_eq!(found[2], ragged(4, 1));
        let message = "a.csv:5: a field opens with a quote that the file does not close; close it, \
                       write a quote inside quotes twice, or say what the quotes of the table are";
        assert_eq!(found[3], Err(message.to_owned()));
        assert_eq!(found[4..], [Ok((6, "\"5\"".to_owned(), "x".to_owned()))]);
    }
    folder.write("b.csv", "id,body\n1,a\n");
    let found = documents(&folder, &batches(&folder.sources(&["b.csv"]), 1 << 20, 1000));
    let message = "b.csv:2: the row has no field \"text\"; it has \"id\", \"body\", as its first \
                   line names them";
    assert_eq!(found, [Err(message.to_owned())]);
}

#[test]
fn lines_are_counted_by_the_line_ends_of_the_header() {
    let folder = Folder::new();
    let table = "id,text\n1,a,b\n\n2,good\n3,\"two\nlines\"\n4,\"an open quote\n5,c\n6,\"d\"\n";
    let read = |end: &str, batch_bytes| {
        folder.write("a.csv", table.replace('\n', end));
        documents(&folder, &batches(&folder.sources(&["a.csv"]), batch_bytes, 1000))
    };
    for batch_bytes in [1, 5, 1 << 20] {
        let lines = read("\n", batch_bytes);
        let row = |line, id: &str, text: &str| Ok((line, format!("\"{id}\""), text.to_owned()));
        assert_eq!(lines[1..3], [row(4, "2", "good"), row(5, "3", "two\nlines")]);
        assert_eq!(lines[4..], [row(8, "5", "c"), row(9, "6", "d")]);
        for end in ["\r", "\r\n"] {
            let found = read(end, batch_bytes).into_iter();
            let found: Vec<_> = found
                .map(|it| it.map(|(line, id, text)| (line, id, text.replace(end, "\n"))))
                .collect();
            assert_eq!(found, lines, "{end:?} {batch_bytes}");
        }
    }
}

#[test]
fn a_quote_that_was_not_meant_as_one_costs_its_line() {
    let folder = Folder::new();
    folder.write("a.csv", "id,text\n1,\"an open quote\n2,b\n3,c\n4,\"d\"\n5,5\" disk\n");
    for batch_bytes in [1, 5, 1 << 20] {
        let found = documents(&folder, &batches(&folder.sources(&["a.csv"]), batch_bytes, 1000));
        let message = "a.csv:2: the row opens a quote, and text follows the one that closes it in \
                       line 5; write a quote inside quotes twice, or say what the quotes of the table are";
        let row = |line, text: &str| Ok((line, format!("\"{}\"", line - 1), text.to_owned()));
        let rows = [row(3, "b"), row(4, "c"), row(5, "d"), row(6, "5\" disk")];
        assert_eq!(found[0], Err(message.to_owned()));
        assert_eq!(found[1..], rows, "{batch_bytes}");
    }
}

#[test]
fn a_quoted_field_of_tabs_that_seems_to_hold_rows_costs_its_line() {
    let folder = Folder::new();
    // Whoever writes quotes twice has quoted the field.
    for (line, is_refused) in [("2\tb", true), ("2 b", false), ("2\tb \"\"c\"\"", false)] {
        folder.write("a.tsv", format!("id\ttext\n1\t\"an open\n{line}\nquote\"\n3\td\n"));
        let found = documents(&folder, &batches(&folder.sources(&["a.tsv"]), 1 << 20, 1000));
        assert_eq!(found[0].is_err(), is_refused, "{line}: {found:?}");
        assert_eq!(found.len(), if is_refused { 4 } else { 2 }, "{found:?}");
    }
}

#[test]
fn a_row_that_is_too_long_is_so_whatever_its_quotes() {
    let folder = Folder::new();
    let long = "x\n".repeat(100);
    folder.write("a.csv", format!("id,text\n1,\"{long}\" stray\n2,b\n"));
    for batch_bytes in [1, 30, 1 << 20] {
        let options = ReadOptions { batch_bytes, max_record_bytes: 50, ..ReadOptions::default() };
        let found: Vec<_> = Reader::new(&folder.sources(&["a.csv"]), options)
            .flat_map(|batch| {
                let batch = batch.unwrap();
                batch.records().map(|row| (row.line(), row.too_long())).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(found, [(2, true), (103, false)], "{batch_bytes}");
    }
}

#[test]
fn two_columns_of_the_name_that_is_read_are_refused() {
    let folder = Folder::new();
    folder.write("a.csv", "id,text,note,note,text\n1,a,b,c,d\n");
    let found = documents(&folder, &batches(&folder.sources(&["a.csv"]), 1 << 20, 1000));
    let message = "a.csv:2: two columns have the name \"text\"; rename one of them";
    assert_eq!(found, [Err(message.to_owned())]);
    let fields = Fields { text: "title,text".to_owned(), ..Fields::default() };
    folder.write("b.csv", "id,title,text,text\n1,a,b,c\n");
    let parts = &batches(&folder.sources(&["b.csv"]), 1 << 20, 1000)[0];
    let error = parts.record(0).unwrap().document(&fields, InvalidUtf8::Fail).unwrap_err();
    assert!(error.to_string().ends_with(&message.replace("a.csv", "b.csv")), "{error}");
    folder.write("a.csv", "id,text,note,note\n1,a,b,c\n");
    let found = documents(&folder, &batches(&folder.sources(&["a.csv"]), 1 << 20, 1000));
    assert!(found[0].is_ok(), "{found:?}");
}

#[test]
fn a_long_row_is_reported_and_the_next_is_read() {
    let folder = Folder::new();
    let long = format!("1,\"{}\n\"\n", "x\n\n".repeat(2000));
    folder.write("a.csv", format!("id,text\n{long}2,\"\n\"\r\n{long}"));
    for batch_bytes in [1, 3, 8, 64, 4999, 1 << 20] {
        let found = batches(&folder.sources(&["a.csv"]), batch_bytes, 9);
        let records: Vec<_> = found.iter().flat_map(Batch::records).collect();
        let lines: Vec<_> = records.iter().map(|row| (row.line(), row.too_long())).collect();
        assert_eq!(lines, [(2, true), (4004, false), (4006, true)], "{batch_bytes}");
        assert_eq!(records[1].held(), b"2,\"\n\"\r\n");
    }
    folder.write("b.csv", format!("id,{},text\n1,2,3\n", "x".repeat(100)));
    for batch_bytes in [1, 1 << 20] {
        let options = ReadOptions { batch_bytes, max_record_bytes: 50, ..ReadOptions::default() };
        let mut reader = Reader::new(&folder.sources(&["b.csv"]), options);
        let error = reader.next().unwrap().unwrap_err();
        assert!(folder.message(&error).starts_with("b.csv:1: the record is longer than 50 bytes"));
        assert!(reader.next().is_none());
    }
}

#[test]
fn every_mirrored_table_has_its_header() {
    let folder = Folder::new();
    folder.write("in/a.csv", TABLE);
    folder.write("in/b.csv", "text\nnone stays\n");
    folder.write("in/c.csv", "");
    let sources = folder.sources(&["in"]);
    let mut mirror = Outputs::new(&sources, OutputOptions::default())
        .mirror(&folder.path("out"), &sources)
        .unwrap();
    for batch in batches(&sources, 16, 1000) {
        for at in 0..=batch.len() {
            for carried in batch.carried_before(at) {
                mirror.carry(&carried, carried.raw()).unwrap();
            }
            let Some(record) = batch.record(at) else { continue };
            if String::from_utf8_lossy(&record.raw()).contains("quoted") {
                mirror.write_record(&record).unwrap();
            }
        }
    }
    mirror.commit().unwrap();
    let written = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
    assert_eq!(written("out/a.csv"), TABLE[..TABLE.find("\r\n\r\n").unwrap() + 2]);
    assert_eq!(written("out/b.csv"), "text\n");
    assert_eq!(written("out/c.csv"), "");
}

#[test]
fn one_file_holds_one_table() {
    let folder = Folder::new();
    folder.write("a.csv", "id,text\n1,one\n");
    folder.write("b.csv", "\"id\",\"text\"\r\n2,two");
    folder.write("c.csv", "text,id\n");
    folder.write("d.jsonl", "{}\n");
    folder.write("e.tsv", "id\ttext\n");
    folder.write("f.txt", "one");
    let survivors = |names: &[&str], output: &str| -> Result<_, String> {
        let sources = folder.sources(names);
        let mut outputs = Outputs::new(&sources, OutputOptions::default());
        let output = outputs.survivors(&folder.path(output), &sources);
        output.map(|output| (sources, output)).map_err(|error: Error| folder.message(&error))
    };
    let (sources, mut output) = survivors(&["a.csv", "b.csv"], "out.csv").unwrap();
    for batch in batches(&sources, 1 << 20, 1000) {
        for carried in batch.carried_before(0) {
            output.carry(&carried, carried.raw()).unwrap();
        }
        for record in batch.records() {
            output.write_record(&record.raw()).unwrap();
        }
    }
    output.commit().unwrap();
    let written = std::fs::read_to_string(folder.path("out.csv")).unwrap();
    assert_eq!(written, "id,text\n1,one\n2,two");
    for (names, output, message) in [
        (
            ["a.csv", "c.csv"],
            "x.csv",
            "c.csv has the columns \"text\", \"id\", and a.csv has \"id\", \"text\": one file holds \
             one table; name a folder, such as kept/",
        ),
        (
            ["a.csv", "d.jsonl"],
            "x.csv",
            "d.jsonl is jsonl and a.csv is csv: one file holds one format; name a folder, such as \
             kept/",
        ),
        (
            ["a.csv", "e.tsv"],
            "x.csv",
            "e.tsv is tsv and a.csv is csv: one file holds one format; name a folder, such as kept/",
        ),
        (
            ["a.csv", "f.txt"],
            "x.csv",
            "f.txt is text and a.csv is csv: one file holds one format; name a folder, such as kept/",
        ),
        (
            ["a.csv", "b.csv"],
            "x.jsonl",
            "x.jsonl: its name says JSONL, and what is kept of a.csv is written as CSV; name a file that ends in .csv",
        ),
    ] {
        assert_eq!(survivors(&names, output).err().unwrap().replace(&folder.name(""), ""), message);
    }
    for (output, told) in
        [("x.txt", "text"), ("x.html", "HTML"), ("x.zip", "ZIP"), ("x.jsonl.br", "brotli")]
    {
        let error = survivors(&["d.jsonl"], output).err().unwrap();
        assert!(error.contains(&format!("its name says {told}, and what is kept")), "{error}");
    }
}

#[test]
fn lines_are_documents_where_they_are_asked_for() {
    let folder = Folder::new();
    folder.write("a.txt", "\u{feff}one\r\n\ntwo");
    folder.write("b.jsonl", "{\"text\": \"row\"}\n");
    let sources: Vec<_> =
        folder.sources(&["a.txt", "b.jsonl"]).into_iter().map(Source::by_lines).collect();
    for batch_bytes in [1, 1 << 20] {
        let found = batches(&sources, batch_bytes, 1000);
        let texts: Vec<_> = documents(&folder, &found).into_iter().map(Result::unwrap).collect();
        let texts: Vec<_> = texts.iter().map(|(line, _, text)| (*line, text.as_str())).collect();
        assert_eq!(texts, [(1, "one"), (2, ""), (3, "two"), (1, "row")]);
        let record = found.iter().flat_map(Batch::records).nth(1).unwrap();
        assert_eq!(record.held(), b"\n");
        assert!(record.default_id().as_json().ends_with("a.txt:2\""));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(nearprint_testing::cases(300)) })]

    /// What the library writes is read back, field by field and byte by byte.
    #[test]
    fn any_table_reads_back(
        rows in prop::collection::vec(prop::collection::vec("[a\",\r\n\t é]{0,6}", 2), 0..12),
        crlf in any::<bool>(),
        always in any::<bool>(),
        batch_bytes in 1_usize..40,
    ) {
        let mut writer = csv::WriterBuilder::new();
        if crlf {
            writer.terminator(csv::Terminator::CRLF);
        }
        if always {
            writer.quote_style(csv::QuoteStyle::Always);
        }
        let mut writer = writer.from_writer(Vec::new());
        writer.write_record(["id", "text"]).unwrap();
        for row in &rows {
            writer.write_record(row).unwrap();
        }
        let bytes = writer.into_inner().unwrap();
        let folder = Folder::new();
        folder.write("a.csv", &bytes);
        let found = batches(&folder.sources(&["a.csv"]), batch_bytes, 1000);
        prop_assert_eq!(raw(&found), bytes);
        let texts: Vec<String> =
            documents(&folder, &found).into_iter().map(|found| found.unwrap().2).collect();
        let expected: Vec<_> = rows.iter().map(|row| row[1].clone()).collect();
        prop_assert_eq!(texts, expected);
    }

    /// Any bytes are cut alike, however they come in; as the library cuts them, where quotes are quotes.
    #[test]
    fn any_bytes_are_cut_as_the_library_cuts_them(
        bytes in "[a\",\r\n]{0,40}",
        batch_bytes in 1_usize..20,
    ) {
        let folder = Folder::new();
        folder.write("a.csv", format!("h\n{bytes}"));
        let whole = batches(&folder.sources(&["a.csv"]), 1 << 20, 1000);
        let parts = batches(&folder.sources(&["a.csv"]), batch_bytes, 1000);
        prop_assert_eq!(raw(&whole), raw(&parts));
        let records = || parts.iter().flat_map(Batch::records);
        let is_misquoted = |record: Record<'_>| {
            let document = record.document(&Fields::default(), InvalidUtf8::Fail);
            document.is_err_and(|error| matches!(error.reason(), "stray-quote" | "open-quote"))
        };
        if records().any(is_misquoted) {
            return Ok(());
        }
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes.as_bytes());
        let expected = reader.byte_records().count() + usize::from(reader.byte_headers().is_ok_and(|h| !h.is_empty()));
        prop_assert_eq!(records().count(), expected);
    }
}
