//! Tables by their marks: delimiters, quotes, escapes, character sets, names of columns.

use crate::tables::{batches, documents, texts_of};
use crate::{Folder, gzip};
use nearprint_corpus::{Dialect, Discovery, Quote, ReadOptions, Reader, Source};

#[test]
fn tables_of_other_programs_are_read_by_their_marks() {
    let folder = Folder::new();
    let ok = |texts: &[&str]| texts.iter().map(|text| Ok((*text).to_owned())).collect::<Vec<_>>();
    let usual = Dialect::default();
    folder.write("a.csv", "id;text\n1;\"a;b\"\n2;c\n");
    let semicolon = Dialect { delimiter: Some(b';'), ..usual };
    assert_eq!(texts_of(&folder, "a.csv", semicolon), ok(&["a;b", "c"]));
    folder.write("b.csv", "id,text\n1,'a,b'\n2,it''s\n3,'it''s'\n");
    let single = Dialect { quote: Quote::Other(b'\''), ..usual };
    assert_eq!(texts_of(&folder, "b.csv", single), ok(&["a,b", "it''s", "it's"]));
    folder.write("c.csv", "id,text\n1,\"a \\\"b\\\", c\"\n2,d\n");
    let escaped = Dialect { escape: Some(b'\\'), ..usual };
    assert_eq!(texts_of(&folder, "c.csv", escaped), ok(&["a \"b\", c", "d"]));
    // As databases write them: no quotes, but an escape before what would end a field or a row.
    // MySQL escapes the first byte of a line end of two.
    folder.write(
        "f.tsv",
        "id\ttext\n1\ta\\tb\\\\ \"c\n2\ta\\\tb\\\nc\n3\t\\N\n4\ta\\\r\nb\r\n5\tlast\\",
    );
    let of_database = Dialect { quote: Quote::None, escape: Some(b'\\'), ..usual };
    let expected = ok(&["a\tb\\ \"c", "a\tb\nc", "", "a\r\nb", "last\\"]);
    assert_eq!(texts_of(&folder, "f.tsv", of_database), expected);
    let (sources, _) = Discovery::new().dialect(of_database).find(&[folder.name("f.tsv")]).unwrap();
    for batch_bytes in 1..9 {
        let found = batches(&sources, batch_bytes, 1000);
        let texts: Vec<_> =
            documents(&folder, &found).into_iter().map(|it| it.unwrap().2).collect();
        assert_eq!(texts, ["a\tb\\ \"c", "a\tb\nc", "", "a\r\nb", "last\\"], "{batch_bytes}");
    }
    // Of rows without quotes every line is one.
    folder.write("d.tsv", "id\ttext\n1\t\"opens\n2\tplain\n3\tcloses\"\n4\tlast\n");
    let bare = Dialect { quote: Quote::None, ..usual };
    assert_eq!(texts_of(&folder, "d.tsv", bare), ok(&["\"opens", "plain", "closes\"", "last"]));
    let told = texts_of(&folder, "d.tsv", usual);
    let message = "d.tsv:2: the row opens a quote that is closed in line 4, and lines between have \
                   the fields of rows";
    assert!(told[0].as_ref().unwrap_err().starts_with(message), "{told:?}");
    assert_eq!(told[1..], ok(&["plain", "closes\"", "last"]));
    let stated = Dialect { quote: Quote::Other(b'"'), ..usual };
    assert_eq!(texts_of(&folder, "d.tsv", stated), ok(&["opens\n2\tplain\n3\tcloses", "last"]));
    // A text of several lines in quotes stays one.
    folder.write("e.tsv", "id\ttext\n1\t\"one\ntwo\nthree\"\n2\tlast\n");
    assert_eq!(texts_of(&folder, "e.tsv", usual), ok(&["one\ntwo\nthree", "last"]));
}

#[test]
fn a_delimiter_that_is_named_is_that_of_tables_whose_header_has_it() {
    let folder = Folder::new();
    let semicolon = Dialect { delimiter: Some(b';'), ..Dialect::default() };
    for (name, table) in [
        ("semicolon.csv", "id;text\n1;\"a;b\"\n"),
        ("comma.csv", "id,text\n1,a;b\n"),
        ("marked.csv", "\u{feff}id,text\r\n1,a;b\r\n"),
        ("returns.csv", "id,text\r1,a;b\r"),
        ("lines.csv", "id,\"two\nlines\",text\n1,x,a;b\n"),
        ("tab.tsv", "id\ttext\n1\ta;b\n"),
        ("separator.csv", "sep=|\nid|text\n1|a;b\n"),
        ("index.csv", ",text\n1,a;b\n"),
        ("end.csv", "id,text,\n1,a;b,\n"),
    ] {
        folder.write(name, table);
        let (sources, _) = Discovery::new().dialect(semicolon).find(&[folder.name(name)]).unwrap();
        for batch_bytes in [1, 3, 7, 1 << 20] {
            let found = batches(&sources, batch_bytes, 1000);
            let texts: Vec<_> =
                documents(&folder, &found).into_iter().map(|it| it.unwrap().2).collect();
            assert_eq!(texts, ["a;b"], "{name} {batch_bytes}");
        }
    }
    // One column in whose name the usual one stands.
    let bar = Dialect { delimiter: Some(b'|'), ..Dialect::default() };
    for (name, table) in
        [("text,", "text,\nhello there, you\n"), ("text, more", "text, more\nhello there, you\n")]
    {
        folder.write("one.csv", table);
        let (sources, _) = Discovery::new().dialect(bar).find(&[folder.name("one.csv")]).unwrap();
        let batch = batches(&sources, 1 << 20, 1000).remove(0);
        let cells = batch.record(0).unwrap().cells().unwrap();
        assert_eq!(cells, [(name, "hello there, you".to_owned())]);
    }
    // A character has one role.
    let quoted = Dialect { quote: Quote::Other(b','), ..semicolon };
    let told = texts_of(&folder, "comma.csv", quoted).remove(0).unwrap_err();
    assert!(told.contains("whose name contains ','"), "{told}");
}

#[test]
fn tables_of_other_character_sets_are_read_by_their_marks_or_by_name() {
    let folder = Folder::new();
    let expected = [Ok("caf\u{e9}, \u{1f600}".to_owned()), Ok("two".to_owned())];
    let table = "id,text\r\n1,\"caf\u{e9}, \u{1f600}\"\r\n2,two\r\n";
    let wide: Vec<u16> = table.encode_utf16().collect();
    let little: Vec<u8> = wide.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = wide.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    folder.write("a.csv", [b"\xff\xfe", &little[..]].concat());
    folder.write("b.csv", [b"\xfe\xff", &big[..]].concat());
    folder.write("c.csv", &little);
    folder.write("d.csv.gz", gzip(&[b"\xff\xfe", &little[..]].concat()));
    let usual = Dialect::default();
    for name in ["a.csv", "b.csv", "d.csv.gz"] {
        assert_eq!(texts_of(&folder, name, usual), expected, "{name}");
    }
    // Without a name and without a mark.
    folder.write("h", [b"\xff\xfe", &little[..]].concat());
    folder.write("i", &big);
    for name in ["c.csv", "h", "i"] {
        assert_eq!(texts_of(&folder, name, usual), expected, "{name}");
    }
    // What is no character is said, as of UTF-8.
    folder.write("j.csv", [&little[..], b"\0\xd8"].concat());
    let cut = texts_of(&folder, "j.csv", usual);
    assert_eq!(cut[..2], expected);
    assert!(cut[2].as_ref().unwrap_err().starts_with("j.csv:4: "), "{cut:?}");
    folder.write("k.csv", b"\xff\xfe\0\0i\0\0\0");
    let wider = Reader::new(&folder.sources(&["k.csv"]), ReadOptions::default()).next().unwrap();
    let told = folder.message(&wider.err().unwrap());
    assert_eq!(told, "k.csv is text in UTF-32, which is not read; convert it to UTF-8");
    let named = usual.encoding("utf-16le").unwrap();
    for name in ["a.csv", "c.csv", "d.csv.gz"] {
        assert_eq!(texts_of(&folder, name, named), expected, "{name}");
    }
    // Names of Python's.
    for (name, known) in [
        ("latin-1", "windows-1252"),
        ("UTF_8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf_16_le", "UTF-16LE"),
        ("cp932", "Shift_JIS"),
        ("cp949", "EUC-KR"),
        ("euc_jp", "EUC-JP"),
    ] {
        assert_eq!(usual.encoding(name).unwrap(), usual.encoding(known).unwrap(), "{name}");
    }
    let unknown = usual.encoding("latin-15").unwrap_err();
    assert!(unknown.to_string().contains("latin-15"), "{unknown}");
    // Rows and texts, too.
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    folder
        .write("f.jsonl.gz", gzip(&wide("\u{feff}{\"text\":\"caf\u{e9}\"}\n{\"text\":\"two\"}\n")));
    folder.write("g.txt", wide("\u{feff}caf\u{e9}"));
    let cafe = Ok("caf\u{e9}".to_owned());
    assert_eq!(texts_of(&folder, "f.jsonl.gz", usual), [cafe.clone(), Ok("two".to_owned())]);
    assert_eq!(texts_of(&folder, "g.txt", usual), [cafe]);
    folder.write("e.jsonl", b"{\"text\":\"caf\xe9\"}\n");
    let latin = usual.encoding("windows-1252").unwrap();
    assert_eq!(texts_of(&folder, "e.jsonl", latin), [Ok("caf\u{e9}".to_owned())]);
}

#[test]
fn a_table_with_a_column_of_texts_is_known_without_a_name() {
    let folder = Folder::new();
    folder.write("comma", "id,\"text\"\n1,a\n2,b\n");
    folder.write("tab", "text\tid\nc\t3\n");
    folder.write("prose", "my text, or\nanother line\n");
    folder.write("header", "id,text\n");
    let texts = |name| texts_of(&folder, name, Dialect::default());
    assert_eq!(texts("comma"), [Ok("a".to_owned()), Ok("b".to_owned())]);
    assert_eq!(texts("tab"), [Ok("c".to_owned())]);
    assert_eq!(texts("prose"), [Ok("my text, or\nanother line\n".to_owned())]);
    // A header alone, as an export of no row: the table has no document, whatever it is called.
    folder.write("names", "id\tbody\r\n\r\n");
    folder.write("phrase", "my words, text\n");
    assert!(texts("header").is_empty() && texts("names").is_empty());
    assert_eq!(texts("phrase"), [Ok("my words, text\n".to_owned())]);
    folder.write("list", "red, id\nblue, green\n");
    assert_eq!(texts("list"), [Ok("red, id\nblue, green\n".to_owned())]);
    for (name, table, found) in [
        ("semicolon", "id;text\n1;a\n", ';'),
        ("bar", "id|text\n1|a\n", '|'),
        ("x.tsv", "id,text\n1,a\n", ','),
    ] {
        folder.write(name, table);
        let told = texts(name).remove(0).unwrap_err();
        let message = format!("{name}:2: the table has one column, whose name contains {found:?}");
        assert!(told.starts_with(&message), "{told}");
    }
    folder.write("body", "id,body\n1,a\n");
    assert!(texts("body")[0].as_ref().unwrap_err().contains("it has \"id\", \"body\""));
}

#[test]
fn a_byte_order_mark_alone_is_no_line() {
    let folder = Folder::new();
    folder.write("a.txt", "\u{feff}");
    folder.write("b.txt", "\u{feff}one\n\u{feff}\n");
    let lines = |name: &str| {
        let sources: Vec<_> = folder.sources(&[name]).into_iter().map(Source::by_lines).collect();
        Reader::new(&sources, ReadOptions::default())
            .map(|batch| batch.unwrap().len())
            .sum::<usize>()
    };
    assert_eq!((lines("a.txt"), lines("b.txt")), (0, 2));
}
