//! Members of gzip and frames of zstd in archives, of which one is damaged.

use crate::archives::{fields, record};
use crate::{Folder, gzip, zstd};
use nearprint_corpus::{Error, InvalidUtf8, ReadOptions, Reader};

const GZIP: &[u8] = b"\x1f\x8b\x08";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

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
        // Of zstd the head of the first block, which begins behind six bytes.
        let at = if member.starts_with(ZSTD) { 6 } else { member.len() / 2 };
        member[at..at + 8].fill(0xff);
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
    for (name, made, pack, magic) in [
        ("a.warc.gz", &warc as &dyn Fn(u32) -> Vec<u8>, gzip as fn(&[u8]) -> Vec<u8>, GZIP),
        ("a.arc.gz", &arc, gzip, GZIP),
        ("a.warc.zst", &warc, zstd, ZSTD),
        ("a.arc.zst", &arc, zstd, ZSTD),
    ] {
        let all: Vec<_> = (1..7).map(|id| pack(&made(id))).collect();
        let garbage = [b"garbage ", magic, b" that no one reads"].concat();
        let at = |member: usize| all[..member].iter().map(|bytes| bytes.len() as u64).sum::<u64>();
        for (third, behind) in [
            (damaged(all[2].clone()), &b""[..]),
            (cut(all[2].clone()), b""),
            (Vec::new(), &garbage),
        ] {
            let lost = (third.len() + behind.len()) as u64;
            let of = |fifth: Vec<u8>| {
                let parts = [&all[0], &all[1], &third[..], behind, &all[3], &fifth, &all[5]];
                read(name, parts.concat())
            };
            let (texts, errors) = of(all[4].clone());
            assert_eq!(texts, "12456", "{name}");
            let [Error::Member { damaged: what, start, bytes, .. }] = &errors[..] else {
                panic!("{errors:?}")
            };
            assert_eq!((*start, *bytes), (at(2), lost), "{name}");
            let told = if magic == ZSTD {
                "zstd data is damaged in the frame"
            } else {
                "gzip data is damaged in the member"
            };
            assert_eq!(*what, told, "{name}");
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
