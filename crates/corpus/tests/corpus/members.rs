//! Members of gzip in archives, of which one is damaged.

use crate::archives::{fields, record};
use crate::{Folder, gzip};
use nearprint_corpus::{Error, InvalidUtf8, ReadOptions, Reader};

#[test]
fn members_behind_a_damaged_one_are_read() {
    let folder = Folder::new();
    let words =
        |id: u32| (0..500).map(|at| (at * id % 97).to_string()).collect::<Vec<_>>().join(" of ");
    let text = |id: u32| format!("text {id} {}", words(id));
    let warc = |id: u32| record("1.0", "conversion", "text/plain", id, text(id).as_bytes());
    let arc = |id: u32| {
        let text = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{}", text(id));
        format!("http://a.b/{id} 1.2.3.4 20040102030405 text/plain {}\n{text}\n", text.len())
            .into_bytes()
    };
    let damaged = |mut member: Vec<u8>| {
        let middle = member.len() / 2;
        member[middle..middle + 8].fill(0xff);
        member
    };
    let cut = |member: Vec<u8>| member[..member.len() / 2].to_vec();
    let read = |name: &str, bytes: Vec<u8>| {
        folder.write(name, bytes);
        let (mut texts, mut errors) = (Vec::new(), Vec::new());
        for batch in Reader::new(&folder.sources(&[name]), ReadOptions::default()) {
            match batch {
                Ok(batch) => texts.extend(batch.records().map(|record| {
                    let document = record.document(&fields(), InvalidUtf8::Fail).unwrap();
                    document.text.split(' ').nth(1).unwrap().to_owned()
                })),
                Err(error) => errors.push(error),
            }
        }
        (texts.concat(), errors)
    };
    for (name, made) in [("a.warc.gz", &warc as &dyn Fn(u32) -> Vec<u8>), ("a.arc.gz", &arc)] {
        let all: Vec<_> = (1..7).map(|id| gzip(&made(id))).collect();
        let at = |member: usize| all[..member].iter().map(|bytes| bytes.len() as u64).sum::<u64>();
        for (third, behind) in [
            (damaged(all[2].clone()), &b""[..]),
            (cut(all[2].clone()), b""),
            (Vec::new(), b"garbage \x1f\x8b\x08 that no one reads"),
        ] {
            let lost = (third.len() + behind.len()) as u64;
            let of = |fifth: Vec<u8>| {
                let parts = [&all[0], &all[1], &third[..], behind, &all[3], &fifth, &all[5]];
                read(name, parts.concat())
            };
            let (texts, errors) = of(all[4].clone());
            assert_eq!(texts, "12456", "{name}");
            let [Error::Member { start, bytes, .. }] = &errors[..] else { panic!("{errors:?}") };
            assert_eq!((*start, *bytes), (at(2), lost), "{name}");
            let (texts, errors) = of(damaged(all[4].clone()));
            assert_eq!((texts.as_str(), errors.len()), ("1246", 2), "{name}");
            // Behind the last one nothing follows.
            let (texts, errors) = read(name, [&all[0][..], &third, behind].concat());
            assert_eq!((texts.as_str(), errors.len()), ("1", 1));
            assert!(matches!(errors[0], Error::Corrupt { .. } | Error::Truncated { .. }));
        }
    }
    // Lines have no beginning that tells them.
    let rows =
        [gzip(b"{\"text\":\"a 1\"}\n"), damaged(gzip(&[b'{'; 99])), gzip(b"{\"text\":\"a 2\"}\n")];
    let (texts, errors) = read("a.jsonl.gz", rows.concat());
    assert_eq!((texts.as_str(), errors.len()), ("1", 1));
}
