//! `stats` on fingerprints whose faults are known.

use crate::nearprint::repository;
use crate::room::Room;
use serde_json::{Value, json};

/// A cheap source of bits.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// 4,000 fingerprints: bit 5 always set, bit 40 a copy of bit 3, a spike of 500 and 7 empty.
fn codes() -> Vec<u64> {
    let mut seed = 7;
    let mut codes: Vec<u64> = (0..3493)
        .map(|_| random(&mut seed) | 1 << 5)
        .map(|code| code & !(1 << 40) | (code >> 3 & 1) << 40)
        .collect();
    codes.extend([0x1234_5678_9abc_de28; 500]);
    codes.extend([0; 7]);
    codes
}

fn room() -> Room {
    let room = Room::new();
    let bytes: Vec<u8> = codes().into_iter().flat_map(u64::to_le_bytes).collect();
    room.write("codes.u64", bytes);
    room
}

const STATS: [&str; 4] = ["stats", "codes.u64", "--input-format", "u64"];

#[test]
fn the_figures_are_those_of_their_definitions() {
    let run = room().run(&[&STATS[..], &["--format", "json", "--top", "1"]].concat()).done();
    let found: Value = serde_json::from_str(run.text()).unwrap();
    assert_eq!((&found["documents"], &found["empty"]), (&json!(3993), &json!(7)));
    assert_eq!(found["distinct"], 3494);
    assert_eq!(found["constant_bits"], json!([5]));
    let strongest = &found["correlation"]["strongest"][0];
    assert_eq!((&strongest["a"], &strongest["b"]), (&json!(3), &json!(40)));
    // 62 free bits, one of which counts twice: 63^2 / (63 + 2).
    let effective = found["effective_bits"].as_f64().unwrap();
    assert!((effective - 63.0 * 63.0 / 65.0).abs() < 0.6, "{effective}");

    let mut distinct: Vec<u64> = codes().into_iter().filter(|&code| code != 0).collect();
    let mut histogram = vec![0; 128];
    distinct.iter().for_each(|code| histogram[usize::try_from(code >> 57).unwrap()] += 1);
    assert_eq!(found["histogram"], json!(histogram));
    distinct.sort_unstable();
    distinct.dedup();
    let mut leading = vec![0; 64];
    distinct.windows(2).for_each(|w| leading[(w[0] ^ w[1]).ilog2() as usize] += 1);
    assert_eq!(found["leading_ones"], json!(leading));
    let share = distinct.iter().filter(|code| *code & 1 << 9 != 0).count() as f64 / 3494.0;
    assert!((found["bit_shares"][9].as_f64().unwrap() - share).abs() < 1e-12);

    let spike = &found["fullest"][0];
    assert_eq!((&spike["equal"], &spike["ids"]), (&json!(500), &json!([3493, 3494, 3495])));
    assert_eq!((&spike["bucket"], &spike["fingerprint"]), (&json!(9), &json!("123456789abcde28")));
}

#[test]
fn the_table_and_the_plot_say_the_same() {
    let room = room();
    let run = room.run(&[&STATS[..], &["--plot", "codes.svg"]].concat()).done();
    for line in [
        "3,993 fingerprints of 64 bits, 3,494 of them distinct, 7 without features\n",
        "  constant      1\n",
        "500 equal 123456789abcde28: 3493, 3494, 3495, ...\n",
    ] {
        assert!(run.text().contains(line), "{}", run.text());
    }
    let svg = room.text("codes.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("Fingerprints in 128 equal parts of their range"));
    assert!(svg.matches("<rect").count() > 64 + 64 + 128);
    assert_eq!(svg.matches(">found</text>").count(), 3, "{svg}");
    room.refuses(
        &[&STATS[..], &["--plot", "codes.svg"]].concat(),
        1,
        "codes.svg exists; pass --force to replace it",
    );
}

#[test]
fn few_fingerprints_say_nothing() {
    let room = Room::new();
    room.write("one.jsonl", "{\"text\":\"the only document of all\"}\n");
    room.write("none.jsonl", "");
    for (name, number) in [("one.jsonl", "1 fingerprint"), ("none.jsonl", "0 fingerprints")] {
        let run = room.run(&["stats", name, "--plot", "plot.svg", "--force"]).done();
        assert!(run.text().starts_with(number), "{}", run.text());
        assert!(run.text().contains("more than one distinct fingerprint is needed"));
        room.run(&["stats", name, "--format", "json"]).done();
    }
}

#[test]
fn texts_and_pages_have_statistics_too() {
    let samples = repository().join("samples");
    let news = samples.join("news.jsonl");
    let html = samples.join("html");
    let room = Room::new();
    let run = room.run(&["stats", news.to_str().unwrap(), "--width", "128"]).done();
    assert!(run.text().contains("of 128 bits"));
    let run = room.run(&["stats", html.to_str().unwrap(), "--recipe", "web"]).done();
    assert!(run.text().starts_with("6 fingerprints"), "{}", run.text());
}
