//! `nearprint decontaminate --action cut`: what a document loses is an item's, and nothing of its own.

use crate::decontaminate::corpus;
use crate::nearprint::rows;
use crate::room::Room;
use serde_json::{Value, json};

const CUT: [&str; 12] = [
    "decontaminate",
    "in.jsonl",
    "--against",
    "eval.jsonl",
    "-o",
    "out.jsonl",
    "--removed",
    "r.jsonl",
    "--action",
    "cut",
    "--force",
    "-q",
];

/// Lines of an article, of which the fourth is an item too.
const ARTICLE: [&str; 6] = [
    "The lighthouse keeper of Skerryvore wrote every evening about seals basking upon granite ledges.",
    "Migrating puffins crowded the northern cliff while herring trawlers anchored beyond the shoal.",
    "His daughter catalogued barnacles, limpets and dogwhelks in a ledger bound with sailcloth.",
    "Which beetle larvae devour the pantry biscuits fastest during humid equinoctial gales?",
    "The quartermaster rationed paraffin because supply ships rarely crossed the sound before April.",
    "A telegraph cable snapped twice that winter, leaving messages undelivered for eleven weeks.",
];

/// A question about it of lines of its own.
const REST: [&str; 6] = [
    "Neighbouring islanders exchanged peat for salted mutton at the harbour auction each Thursday.",
    "Explain how the keeper should apportion lamp oil between fog nights and clear nights, given deliveries of forty gallons.",
    "Describe also the arithmetic by which a deputy reckons wick lengths, mirror polish and wages owed to an apprentice.",
    "Finally justify whether a second lantern improves visibility for schooners approaching from Tiree through mist or sleet.",
    "Assume burners consume three pints hourly, that glass panes crack monthly, and that insurers reimburse half of it.",
    "State every approximation, and compare your estimate against published tables of eighteen forty four.",
];

#[test]
fn a_place_that_is_only_told_loses_nothing_beside_an_item_within_it() {
    let room = Room::new();
    let article = ARTICLE.join("\n");
    let text = |article: &str| format!("Our notes begin here.\n{article}\nOur notes go on.\n");
    room.write("in.jsonl", corpus(&[(3, &text(&article))]));
    let left = [&ARTICLE[..3], &ARTICLE[4..]].concat().join("\n");
    let short = json!({"id": "short", "question": ARTICLE[3]});
    let question = REST.join("\n");
    for (verdict, long) in [
        ("partial", json!({"id": "long", "question": format!("{article}\n{question}")})),
        ("context", json!({"id": "long", "context": article, "question": question})),
    ] {
        room.write("eval.jsonl", format!("{long}\n{short}\n"));
        room.run(&CUT).done();
        let of = |row: &Value| (row["verdict"].clone(), row["removed"].clone());
        let found: Vec<_> = rows(&room.text("r.jsonl")).iter().map(of).collect();
        let expected = [(json!(verdict), json!(false)), (json!("contaminated"), json!(true))];
        assert_eq!(found, expected, "{verdict}");
        assert!(room.text("out.jsonl") == corpus(&[(3, &text(&left))]), "{verdict}");
    }
}

#[test]
fn own_lines_behind_an_item_stay_whatever_usual_words_they_share_with_what_is_missing() {
    let asked = "Seven harbour pilots weigh amber cargo before dawn, and each pilot signs a ledger that the warden keeps. \
                 Which pilot signs last if storms delay every second vessel and no warden sleeps";
    let missing =
        "at the start of the night, in the tower by the quay, as is the rule of the port?";
    let own = [
        "Back to basics, where programs run beside others, and at the same time end.",
        "A process has memory, files and children of the kernel, which sleep in the queue until somebody wakes them.",
        "Signals arrive by the dozen, and a handler as is usual returns to whatever was interrupted.",
    ]
    .join("\n");
    let room = Room::new();
    let row = |id: &str, rest: &str| {
        format!("{}\n", json!({"id": id, "question": format!("{asked} {rest}")}))
    };
    let other = "when nobody counts?";
    for (items, lines) in [
        // The end of an item is missing, or its beginning, or a whole one has a sibling.
        (row("one", missing), format!("Before.\n{asked}\n{own}\n")),
        (
            format!("{}\n", json!({"id": "one", "question": format!("{missing} {asked}")})),
            format!("Before.\n{own}\n{asked}\n"),
        ),
        (row("one", other) + &row("two", missing), format!("Before.\n{asked} {other}\n{own}\n")),
    ] {
        room.write("eval.jsonl", items);
        room.write("in.jsonl", corpus(&[(3, &lines)]));
        room.run(&CUT).done();
        let left = format!("Before.\n{own}\n");
        assert!(room.text("out.jsonl") == corpus(&[(3, &left)]), "{lines}");
    }
}
