//! Texts of archives in other character sets than UTF-8, and texts within columns that are damaged.

use crate::archives::{batches, fields, read, record, response, texts};
use crate::{Folder, gzip, zstd};
use nearprint_corpus::{
    Fields, InvalidUtf8, NullText, OutputOptions, Outputs, ReadOptions, Reader, Record,
};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::sync::Arc;

/// As crawls have them: texts of another character set, and those of UTF-8 that are cut within a character.
#[test]
fn a_conversion_that_is_no_utf_8_is_decoded_as_a_resource_is() {
    let folder = Folder::new();
    let latin1 = b"Un caf\xe9 au lait, s'il vous pla\xeet";
    let cut = &"na\u{ef}ve caf\u{e9}s \u{732b}".as_bytes()[..16];
    let converted = |id, block| record("1.0", "conversion", "text/plain", id, block);
    let records = [
        converted(1, latin1),
        record("1.0", "resource", "text/plain", 2, latin1),
        converted(3, cut),
        record("1.0", "conversion", "text/plain; charset=iso-8859-2", 4, b"\xb1"),
    ];
    folder.write("a.warc", records.concat());
    let found = batches(&folder.sources(&["a.warc"]), 1 << 20, 1 << 20);
    let read = read(&folder, &found, &fields(), |document| {
        (document.text.into_owned(), document.replaced_utf8)
    });
    let read: Vec<_> = read.into_iter().map(Result::unwrap).collect();
    let decoded = "Un caf\u{e9} au lait, s'il vous pla\u{ee}t".to_owned();
    let expected = [
        (decoded.clone(), false),
        (decoded, false),
        ("na\u{ef}ve caf\u{e9}s \u{fffd}".to_owned(), true),
        ("\u{105}".to_owned(), false),
    ];
    assert_eq!(read, expected);
}

#[test]
fn what_is_no_html_is_not_decoded_as_html_says() {
    let folder = Folder::new();
    let text = "Put <meta charset=\"koi8-r\"> into the head. Gr\u{fc}\u{df}e.";
    let declared = "<?xml version=\"1.0\" encoding=\"koi8-r\"?> comes first. Gr\u{fc}\u{df}e.";
    let page = |before: &str| {
        format!(
            "{before}<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><meta charset=\"latin1\" />\
             </head><p>Gr\u{fc}\u{df}e</p></html>"
        )
    };
    let ok = "HTTP/1.1 200 OK";
    let typed = |kind: &str| format!("{ok}\r\nContent-Type: {kind}");
    let pages = [page("<?xml version='1.0' encoding='utf-8'?>"), page("")];
    folder.write(
        "a.warc",
        [
            response(1, &typed("text/plain"), text.as_bytes()),
            response(2, ok, text.as_bytes()),
            record("1.0", "resource", "text/plain", 3, text.as_bytes()),
            response(4, &typed("text/plain"), declared.as_bytes()),
            response(5, &typed("application/xhtml+xml"), pages[0].as_bytes()),
            response(6, &typed("text/xml"), pages[1].as_bytes()),
            response(7, &typed("text/html"), pages[1].as_bytes()),
        ]
        .concat(),
    );
    let found = texts(&folder, &batches(&folder.sources(&["a.warc"]), 1 << 20, 1 << 20));
    let page = "Gr\u{fc}\u{df}e";
    let expected = [text, text, text, declared, page, page, "Gr\u{c3}\u{bc}\u{c3}\u{178}e"];
    assert_eq!(found, expected.map(|text| Ok(text.to_owned())));
}

/// Captures that are cut end within a character.
#[test]
fn a_page_without_a_charset_that_is_utf_8_but_for_its_end_is_utf_8() {
    let text = "<p>\u{4eca}\u{5929}\u{5929}\u{6c14}\u{5f88}\u{597d}</p>\u{732b}".as_bytes();
    let cut = &text[..text.len() - 1];
    let folder = Folder::new();
    folder.write("a.html", cut);
    folder.write("b.warc", record("1.0", "resource", "text/html", 1, cut));
    for name in ["a.html", "b.warc"] {
        let found = batches(&folder.sources(&[name]), 1 << 20, 1 << 20);
        let read = read(&folder, &found, &fields(), |document| document.text.into_owned());
        let text = read[0].as_ref().unwrap();
        assert!(text.starts_with("\u{4eca}\u{5929}\u{5929}\u{6c14}\u{5f88}\u{597d}"), "{text}");
    }
}

/// Rows with texts in columns of each form. Row by row the first of all is whole, damaged, and whole where another one of
/// its column is damaged.
fn nested() -> Vec<u8> {
    const SCHEMA: &str = "message rows {
        required group meta { required byte_array text (UTF8); required byte_array other (UTF8); }
        required group said (LIST) { repeated group list { required byte_array element (UTF8); } }
        required group chat (LIST) { repeated group list {
            required group element { required byte_array content (UTF8); }
        } }
        required group words (MAP) { repeated group key_value {
            required byte_array key (UTF8); required byte_array value (UTF8);
        } }
        repeated byte_array tags (UTF8);
    }";
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let first: [&[u8]; 3] = [b"one \"a\"", b"two \xff\xfe", b"three"];
    let second: [&[u8]; 3] = [b"b", b"b", b"\xff"];
    let texts = |texts: [&[u8]; 3]| texts.map(|text| ByteArray::from(text.to_vec()));
    for leaf in 0..7 {
        let mut column = group.next_column().unwrap().unwrap();
        let column_of = column.typed::<ByteArrayType>();
        let (values, repeated): (Vec<_>, Vec<i16>) = match leaf {
            0 => (texts(first).to_vec(), vec![]),
            1 => (texts(second).to_vec(), vec![]),
            4 => (texts([b"k"; 3]).to_vec(), vec![0; 3]),
            5 => (texts(first).to_vec(), vec![0; 3]),
            _ => {
                let both = texts(first).into_iter().zip(texts(second));
                (both.flat_map(|(a, b)| [a, b]).collect(), [0, 1].repeat(3))
            }
        };
        let defined = vec![1_i16; repeated.len()];
        let levels = (!repeated.is_empty()).then_some((&*defined, &*repeated));
        let (defined, repeated) = levels.unzip();
        column_of.write_batch(&values, defined, repeated).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn a_damaged_text_within_a_column_is_replaced_and_counted_where_it_is_read() {
    let folder = Folder::new();
    folder.write("a.parquet", nested());
    let sources = folder.sources(&["a.parquet"]);
    let all = |each: &mut dyn FnMut(&Record<'_>)| {
        for batch in Reader::new(&sources, ReadOptions::default()) {
            batch.unwrap().records().for_each(|record| each(&record));
        }
    };
    let (two, damaged) = ("two \u{fffd}\u{fffd}", true);
    let both = [
        ("one \"a\"\nb", false),
        ("two \u{fffd}\u{fffd}\nb", damaged),
        ("three\n\u{fffd}", damaged),
    ];
    for (field, expected) in [
        ("meta.text", [("one \"a\"", false), (two, damaged), ("three", false)]),
        ("words.k", [("one \"a\"", false), (two, damaged), ("three", false)]),
        ("meta.text,meta.other", both),
        ("said", both),
        ("chat", both),
        ("tags", both),
    ] {
        let fields = Fields { text: field.to_owned(), ..Fields::default() };
        let mut found = Vec::new();
        all(&mut |record| {
            let of = |invalid_utf8| {
                let document = record.document(&fields, invalid_utf8);
                let document = document.map(|it| (it.text.into_owned(), it.replaced_utf8));
                document.map_err(|error| folder.message(&error))
            };
            found.push((of(InvalidUtf8::Fail), of(InvalidUtf8::Replace)));
        });
        for (at, ((strict, lenient), (text, is_damaged))) in
            found.into_iter().zip(expected).enumerate()
        {
            let whole = (text.to_owned(), is_damaged);
            assert_eq!(lenient, Ok(whole.clone()), "{field}");
            let place = at + 1;
            // Of several fields the damaged one is named.
            let column = field.split(',').nth(at.saturating_sub(1)).unwrap_or(field);
            let told =
                format!("a.parquet:{place}: the column {column:?} has a text that is not UTF-8");
            match strict {
                Err(error) => assert!(is_damaged && error.starts_with(&told), "{error}"),
                Ok(strict) => assert_eq!(strict, whole, "{field}"),
            }
        }
    }
    // Who reads no text, and who writes: the bytes stay, and lines have U+FFFD.
    let fields =
        Fields { text: "absent".to_owned(), null_text: NullText::Keep, ..Fields::default() };
    let mut outputs = Outputs::new(&sources, OutputOptions::default());
    let mut output = outputs.rows(&folder.path("out.parquet"), &sources).unwrap();
    let mut lines = Vec::new();
    all(&mut |record| {
        let error = record.document(&fields, InvalidUtf8::Fail).unwrap_err();
        assert_eq!(error.reason(), "text-missing");
        output.write(record, &[]).unwrap();
        lines.push(serde_json::from_slice::<serde_json::Value>(&record.raw()).unwrap());
        assert_eq!(record.damaged_fields().len(), [0, 5, 4][lines.len() - 1]);
    });
    assert_eq!(lines[1]["chat"][0]["content"], two);
    nearprint_corpus::publish([output.finish().unwrap()]).unwrap();
    let bytes = |name: &str| {
        let reader = SerializedFileReader::new(File::open(folder.path(name)).unwrap()).unwrap();
        let group: Box<dyn RowGroupReader + '_> = reader.get_row_group(0).unwrap();
        let pages = |at| {
            group.get_column_page_reader(at).unwrap().map(|page| page.unwrap().buffer().to_vec())
        };
        (0..7).map(|at| pages(at).collect::<Vec<_>>().concat()).collect::<Vec<_>>()
    };
    assert_eq!(bytes("out.parquet"), bytes("a.parquet"));
}

#[test]
fn keys_of_a_map_that_differ_in_damaged_bytes_alone_stay_apart() {
    const SCHEMA: &str = "message rows { required group words (MAP) { repeated group key_value {
        required byte_array key (UTF8); required byte_array value (UTF8);
    } } }";
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for texts in [[&b"k\xff"[..], b"k\xfe", b"l"], [b"one", b"two", b"three"]] {
        let mut column = group.next_column().unwrap().unwrap();
        let values = texts.map(|text| ByteArray::from(text.to_vec()));
        let levels = (Some(&[1; 3][..]), Some(&[0, 1, 1][..]));
        column.typed::<ByteArrayType>().write_batch(&values, levels.0, levels.1).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    let folder = Folder::new();
    folder.write("a.parquet", writer.into_inner().unwrap());
    let mut rows = Vec::new();
    for batch in Reader::new(&folder.sources(&["a.parquet"]), ReadOptions::default()) {
        rows.extend(batch.unwrap().records().map(|record| record.raw().into_owned()));
    }
    let row: serde_json::Value = serde_json::from_slice(&rows[0]).unwrap();
    let expected = serde_json::json!({"k\u{fffd}": "one", "k\u{fffd} 2": "two", "l": "three"});
    assert_eq!(row["words"], expected);
}

#[test]
fn text_in_utf_32_is_named_with_and_without_a_mark_also_where_it_is_compressed() {
    let table = "id,text\r\n1,caf\u{e9}\r\n";
    let little: Vec<u8> = table.chars().flat_map(|it| u32::from(it).to_le_bytes()).collect();
    let big: Vec<u8> = table.chars().flat_map(|it| u32::from(it).to_be_bytes()).collect();
    let folder = Folder::new();
    for (name, bytes) in [
        ("a.csv", [b"\0\0\xfe\xff", &big[..]].concat()),
        ("b.csv", little.clone()),
        ("c.csv.gz", gzip(&[b"\xff\xfe\0\0", &little[..]].concat())),
        ("d.jsonl.zst", zstd(&little)),
        ("e.txt", big.clone()),
        ("f.txt.gz", gzip(&gzip(&little))),
        ("g.html", big),
    ] {
        folder.write(name, bytes);
        let read = Reader::new(&folder.sources(&[name]), ReadOptions::default()).next().unwrap();
        let told = folder.message(&read.err().unwrap());
        let expected = format!("{name} is text in UTF-32, which is not read; convert it to UTF-8");
        assert_eq!(told, expected);
    }
}
