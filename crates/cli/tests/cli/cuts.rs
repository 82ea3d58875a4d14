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
fn documents_left_without_a_word_are_counted_and_told() {
    let room = Room::new();
    let row = |text: &str| format!("{}\n", json!({"text": text}));
    let item = ARTICLE[3];
    let rows = [format!("* {item}\n***\n"), item.to_owned(), format!("Our notes.\n{item}")];
    let rows: String = rows.iter().map(|text| row(text)).collect();
    room.write("in.jsonl", format!("{}{rows}{}", corpus(&[]), row("")));
    room.write("eval.jsonl", format!("{}\n", json!({"question": item})));
    let run = |flags: &[&str]| {
        let args = ["decontaminate", "in.jsonl", "--against", "eval.jsonl", "--force"];
        let outputs = ["-o", "out.jsonl", "--summary", "s.json"];
        let run = room.run(&[&args[..], &outputs, flags].concat()).done();
        let summary: Value = serde_json::from_str(&room.text("s.json")).unwrap();
        (run.stderr, ["empty", "emptied", "kept"].map(|key| summary[key].clone()))
    };
    let (said, told) = run(&["--action", "cut"]);
    let emptied = "2 documents have no words left; --action drop removes whole documents\n";
    assert!(said.contains(emptied), "{said}");
    assert_eq!(told, [1, 2, 204].map(|number| json!(number)));
    let (said, told) = run(&["--action", "drop"]);
    assert!(!said.contains("words left"), "{said}");
    assert_eq!(told, [1, 0, 201].map(|number| json!(number)));
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

/// What of a text behind others stays where an eval set of these rows is cut out of it.
fn left(room: &Room, rows: &[Value], text: &str) -> String {
    room.write("in.jsonl", corpus(&[(3, text)]));
    let rows: String = rows.iter().map(|row| format!("{row}\n")).collect();
    room.write("eval.jsonl", rows);
    room.run(&CUT).done();
    let of = |rows: &str| -> String {
        let row: Value = serde_json::from_str(rows.lines().nth(3).unwrap()).unwrap();
        row["text"].as_str().unwrap().to_owned()
    };
    of(&room.text("out.jsonl")).strip_prefix(&of(&corpus(&[]))).unwrap().to_owned()
}

#[test]
fn a_word_of_another_paragraph_is_no_end_of_an_item() {
    let room = Room::new();
    let asked = "Seven harbour pilots weigh amber cargo before dawn, and each pilot signs a ledger that lies on the counter of the warden, \
                 who keeps oil, rope and lanterns for storms";
    let row = json!({"id": 1, "question": asked});
    let kept = "The filesystem of a server has journals, which replay what was lost.\n";
    for cut in ["on", "of"] {
        let item = &asked[..asked.find(&format!(" {cut} the")).unwrap() + cut.len() + 1];
        let text = format!("The club met.\n\n{item}\n\n{kept}");
        assert_eq!(
            left(&room, std::slice::from_ref(&row), &text),
            format!("The club met.\n\n\n{kept}")
        );
    }
}

/// A question, its choices and its answer.
const ASKED: &str =
    "Which organelle of a spinach leaf turns the energy of sunlight into sugar by photosynthesis?";
const CHOICES: [&str; 4] = ["Chloroplast", "Central vacuole", "Golgi apparatus", "Peroxisome"];

#[test]
fn choices_whose_marks_stand_at_their_words_go() {
    let room = Room::new();
    let row = json!({"id": 1, "question": ASKED, "choices": CHOICES, "answer": 0});
    for mark in ["A.", "A:", "A)", "(A)"] {
        let marks = ["A", "B", "C", "D"].map(|letter| mark.replace('A', letter));
        let choices: Vec<_> =
            marks.iter().zip(CHOICES).map(|(mark, choice)| format!("{mark}{choice}")).collect();
        let item = format!("{ASKED}\n{}\nAnswer:A", choices.join("\n"));
        let text = format!("The club met on Sunday.\n{item}\nOn Monday it rested.\n");
        assert_eq!(
            left(&room, std::slice::from_ref(&row), &text),
            "The club met on Sunday.\nOn Monday it rested.\n",
            "{mark}"
        );
    }
}

#[test]
fn an_instruction_of_an_eval_set_goes_with_its_items() {
    let room = Room::new();
    let told = "Read the passage above carefully and choose the single label below that fits it best, giving your reasons.";
    let asked = [
        "A retired glassblower anneals borosilicate ampoules beside the municipal orchid greenhouse every winter evening.",
        "A harbour pilot counts brass lanterns along the frozen quay while the customs officer sleeps.",
        "Two surveyors mistook the granite obelisk for a boundary marker during the October fog.",
    ];
    let row = |(id, asked): (usize, &&str)| json!({"id": id, "question": format!("{asked}\n{told}"), "choices": ["harmless hobby", "fire hazard"]});
    let rows: Vec<_> = asked.iter().enumerate().map(row).collect();
    for told in [told.to_owned(), told.replacen(" label ", "\nlabel ", 1)] {
        let text = format!(
            "The club met on Sunday.\n{}\n{told}\nA. harmless hobby\nB. fire hazard\nAnswer: B\nOn Monday it rested.\n",
            asked[0]
        );
        assert_eq!(left(&room, &rows, &text), "The club met on Sunday.\nOn Monday it rested.\n");
    }
    // What another item has stays.
    let text = format!("The club met on Sunday.\n{told}\n{}\nOn Monday it rested.\n", asked[0]);
    assert_eq!(
        left(&room, &rows, &text),
        format!("The club met on Sunday.\n{told}\nOn Monday it rested.\n")
    );
}

#[test]
fn own_lines_that_begin_as_an_instruction_stay() {
    let room = Room::new();
    let asked = [
        "Which harbour pilot counts the brass lanterns along the frozen quay at night?",
        "Why did both surveyors mistake the granite obelisk for a boundary marker?",
        "How many borosilicate ampoules does the retired glassblower anneal each winter?",
    ];
    for (before, behind, kept) in [
        ("Q: ", "\nA:", "There was a storm over the town, and the ferry stayed.\n"),
        ("", "\nAnswer:", "My first answer was that of the ferry.\n"),
        (
            "",
            "\nLet's think step by step.",
            "Let's think step by step about what the ferry costs us.\n",
        ),
        ("Is it so in general: ", "", ""),
    ] {
        let row = |(id, asked): (usize, &&str)| json!({"id": id, "question": format!("{before}{asked}{behind}")});
        let rows: Vec<_> = asked.iter().enumerate().map(row).collect();
        let text = format!(
            "The club met.\nAnd is it so in general: who knows?\n{}\n{kept}On Monday it rested.\n",
            asked[0]
        );
        let expected = format!(
            "The club met.\nAnd is it so in general: who knows?\n{kept}On Monday it rested.\n"
        );
        assert_eq!(left(&room, &rows, &text), expected, "{behind}");
    }
}

#[test]
fn another_question_keeps_choices_that_an_item_has_too() {
    let room = Room::new();
    let choices = [
        "Both the assertion and the reason are true, and the reason is the right explanation of the assertion.",
        "Both the assertion and the reason are true, but the reason is no right explanation of the assertion.",
    ];
    let row = json!({"id": 1, "question": "Assertion: glassblowers anneal borosilicate ampoules. Reason: orchids wilt beside municipal greenhouses.", "choices": choices});
    let item = |question: &str| format!("{question}\n(a) {}\n(b) {}\n", choices[0], choices[1]);
    let own =
        item("Assertion: ferries cross the sound in every storm. Reason: pilots read the tide.");
    let text = format!(
        "The club met.\n{}\n{own}On Monday it rested.\n",
        item(row["question"].as_str().unwrap())
    );
    assert_eq!(
        left(&room, std::slice::from_ref(&row), &text),
        format!("The club met.\n\n{own}On Monday it rested.\n")
    );
}

#[test]
fn a_long_answer_goes_whatever_stands_before_it() {
    let room = Room::new();
    let asked = "Natalia baked 48 muffins for the school fair and sold three quarters of them before noon. How many were left?";
    let solved = "She sold three quarters of forty eight muffins, which is thirty six.\nShe had forty eight minus thirty six muffins left.\n#### 12";
    let row = json!({"id": "gsm", "question": asked, "answer": solved});
    for (before, between, behind) in [
        ("<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n", "<|im_end|>\n"),
        ("Problem 4\n", "\n\nSolution\n", "\n"),
        ("", "\nA: Let's think step by step.\n", "\n"),
        (
            "",
            "\nThree answers were given below, and Maria wrote the first of them in the evening:\n",
            "\n",
        ),
    ] {
        let text = format!(
            "The club met on Sunday.\n{before}{asked}{between}{solved}{behind}On Monday it rested.\n"
        );
        let left = left(&room, std::slice::from_ref(&row), &text);
        assert!(!left.contains("muffins") && !left.contains("12"), "{left}");
        assert!(
            left.starts_with("The club met on Sunday.\n")
                && left.ends_with("On Monday it rested.\n"),
            "{left}"
        );
    }
}

#[test]
fn an_answer_below_goes_in_many_words_and_languages() {
    let answers = [
        "Answer: B",
        "Your answer: B",
        "My answer: (B)",
        "Suggested answer: B",
        "Official answer: B",
        "Expected answer: B",
        "Sample answer: B",
        "Answer Verified: B",
        "Final Answer: \\boxed{B}",
        "correct_answer: B",
        "answer_idx: 1",
        "Die richtige Antwort ist B.",
        "Richtige Antwort: B",
        "Bonne réponse : B",
        "Réponse correcte : B",
        "La bonne réponse est B.",
        "Respuesta correcta: B",
        "La respuesta correcta es B.",
        "Resposta correta: B",
        "A resposta correta é B.",
        "Gabarito: B",
        "Risposta corretta: B",
        "La risposta esatta è B",
        "Juiste antwoord: B",
        "Rätt svar: B",
        "Poprawna odpowiedź: B",
        "Správná odpověď: B",
        "Правильный ответ: B",
        "Верный ответ: B",
        "Doğru cevap: B",
        "Đáp án: B",
        "Kunci jawaban: B",
        "الإجابة الصحيحة: B",
        "सही उत्तर: B",
        "정답은 B",
        "올바른 답: B",
        "正解はBです。",
        "参考答案：B",
        "標準答案：B",
        "正确答案是B。",
        "正确答案为B",
        "正確答案是B。",
        "答案为B",
        "故选B。",
        "故應選B。",
        "正确选项：B",
        "Your answer: cigarette borers",
        "Правильный ответ: cigarette borers",
    ];
    let others = [
        "Your turn now.",
        "La vita è bella",
        "My sample is below",
        "故事",
        "正しいことです",
        "은행",
    ];
    let room = Room::new();
    let choices = ["drugstore grubs", "cigarette borers", "khapra weevils", "spider mites"];
    let item = json!({"question": ARTICLE[3], "choices": choices, "answer": 1});
    room.write("eval.jsonl", format!("{item}\n"));
    let [one, two, three, four] = choices;
    let quiz = format!("{}\nA) {one}\nB) {two}\nC) {three}\nD) {four}\n", ARTICLE[3]);
    // A word of an item counts little if many documents have it.
    let stays = answers.iter().map(|line| (*line, false)).chain(others.map(|line| (line, true)));
    for lines in stays.collect::<Vec<_>>().chunks(8) {
        let of = |text: &dyn Fn((&str, bool)) -> String| {
            let texts: Vec<_> = lines.iter().map(|line| text(*line)).collect();
            let texts = texts.iter().enumerate().map(|(at, text)| (at * 9 + 3, text.as_str()));
            corpus(&texts.collect::<Vec<_>>())
        };
        room.write("in.jsonl", of(&|(line, _)| format!("Before.\n{quiz}{line}\nAfter.\n")));
        room.run(&CUT).done();
        let left = of(&|(line, stays)| match stays {
            true => format!("Before.\n{line}\nAfter.\n"),
            false => "Before.\nAfter.\n".to_owned(),
        });
        assert!(room.text("out.jsonl") == left, "{lines:?}");
    }
}
