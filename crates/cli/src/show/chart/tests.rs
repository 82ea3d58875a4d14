//! Every picture at every width: no text upon another, none beyond the edge, and each format whole.

use super::scene::Shape;
use super::{Axis, Curve, Draw, Figure, Ink, Kept, Kind, Mark, Numbers, Panel, Point, Theme};
use super::{inline, sheet};
use std::io::Read as _;

const WIDTHS: [f64; 5] = [320.0, 390.0, 640.0, 960.0, 1280.0];

fn line(name: &str, number: usize, end: f64) -> Curve {
    let points = (0..=20).map(|at| {
        let x = f64::from(at) / 20.0;
        Point { interval: Some((0.9 * end * x, end * x)), ..Point::at(x, 0.95 * end * x) }
    });
    Curve {
        name: name.to_owned(),
        kind: Kind::Line,
        ink: Ink::Curve(number),
        points: points.collect(),
    }
}

fn panel(title: &str, curves: Vec<Curve>, marks: Vec<Mark>) -> Panel {
    Panel {
        title: title.to_owned(),
        across: Axis::new("least similarity of a pair", (0.0, 1.0), Numbers::Plain),
        up: Axis::new("share of all documents", (0.0, 1.0), Numbers::Percent),
        curves,
        marks,
        height: Panel::HEIGHT,
    }
}

fn mark(at: f64, name: &str) -> Mark {
    Mark { at, name: name.to_owned(), range: Some((at - 0.05, at + 0.05)) }
}

/// Pictures that are hard to letter.
fn figures() -> Vec<Figure> {
    let small = || {
        let titles = ["Precision by similarity", "Recall by similarity", "F1 by similarity"];
        titles.map(|title| panel(title, vec![line("", 0, 0.9)], vec![mark(0.97, "0.912 at 0.97")]))
    };
    let several = |names: &[&str]| {
        let curves = names.iter().enumerate().map(|(at, name)| line(name, at, 0.9)).collect();
        panel("F1 by similarity", curves, vec![])
    };
    let short = several(&["text, 64", "words, 64", "web, 128", "zh, 256"]);
    let long = several(&[
        "text, 128 bits",
        "a-recipe-of-ones-own-in-a-file-of-a-very-long-name.toml, 256 bits",
        "words, 64 bits",
    ]);
    let marks = vec![
        mark(0.6, "valley 0.60 (0.52 to 0.66)"),
        mark(0.62, "taken 0.62"),
        mark(0.99, "a third one, at the edge"),
        mark(0.02, "and a fourth at the other"),
    ];
    let bars = (0..128).map(|at| Point::between(f64::from(at), f64::from(at) + 1.0, 7.0));
    let bars = Curve {
        name: "found".to_owned(),
        kind: Kind::Bars,
        ink: Ink::Curve(0),
        points: bars.collect(),
    };
    let steps = Curve { name: "if uniform".to_owned(), kind: Kind::Steps, ..bars.clone() };
    let names: Vec<_> = (1..=30).map(|at| format!("{at},000 to {at},999")).collect();
    let values = (0..30).map(|at| Point::between(f64::from(at), f64::from(at) + 1.0, 1234.0));
    let classes = Curve { name: String::new(), points: values.collect(), ..bars.clone() };
    let of_bars = |across, curves| Panel {
        across,
        up: Axis::new("documents", (0.0, 1500.0), Numbers::Count),
        ..panel("Fingerprints in 128 equal parts of their range", curves, vec![])
    };
    vec![
        Figure { columns: 3, ..Figure::below_one_another("small", small().to_vec()) },
        Figure { columns: 3, ..Figure::below_one_another("short", vec![short; 3]) },
        Figure { columns: 3, ..Figure::below_one_another("long", vec![long; 2]) },
        Figure {
            note: "Shaded: 95 % intervals, over groups of documents. ".repeat(4),
            ..Figure::below_one_another(
                "marks",
                vec![panel("Marks", vec![line("", 0, 0.5)], marks)],
            )
        },
        Figure::below_one_another(
            "bars",
            vec![
                of_bars(Axis::new("part", (0.0, 128.0), Numbers::Count), vec![bars, steps]),
                of_bars(Axis::of_names("documents, from", names), vec![classes]),
            ],
        ),
    ]
}

#[test]
fn no_text_hides_another_at_any_width() {
    for figure in figures() {
        for width in WIDTHS {
            let scene = figure.scene(width);
            assert_eq!(scene.hidden(), [""; 0], "{} at {width}", figure.title);
            assert!(scene.labels().len() > 8, "{} at {width}", figure.title);
        }
    }
}

#[test]
fn charts_stand_side_by_side_where_there_is_room() {
    let all = figures();
    let small = &all[0];
    let heights = WIDTHS.map(|width| small.scene(width).height);
    assert_eq!(heights[0], heights[1]);
    assert!(heights[1] > 2.5 * heights[4], "{heights:?}");
    // Letters are as large on a phone as on a desk.
    let sizes = WIDTHS.map(|width| {
        let scene = small.scene(width);
        let sizes = scene.shapes.iter().filter_map(|shape| match shape {
            Shape::Text { size, .. } => Some(*size),
            _ => None,
        });
        sizes.fold(f64::INFINITY, f64::min)
    });
    assert_eq!(sizes, [12.0; 5]);
}

#[test]
fn an_interval_is_drawn_of_a_curve_that_is_alone() {
    let areas = |curves: Vec<Curve>| {
        let scene = Figure::below_one_another("", vec![panel("", curves, vec![])]).scene(960.0);
        scene.shapes.iter().filter(|shape| matches!(shape, Shape::Area { .. })).count()
    };
    assert_eq!(areas(vec![line("one", 0, 0.5)]), 1);
    assert_eq!(areas(vec![line("one", 0, 0.5), line("two", 1, 0.6)]), 0);
}

/// A PNG as its width, its height and its dots.
fn dots(png: &[u8]) -> (usize, usize, Vec<u8>) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&png[..16], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let (width, height) = (number(16), number(20));
    let (mut at, mut packed) = (8, Vec::new());
    while at < png.len() {
        let length = number(at);
        let mut crc = flate2::Crc::new();
        crc.update(&png[at + 4..at + 8 + length]);
        assert_eq!(number(at + 8 + length), crc.sum() as usize);
        if &png[at + 4..at + 8] == b"IDAT" {
            packed.extend(&png[at + 8..at + 8 + length]);
        }
        at += 12 + length;
    }
    let mut rows = Vec::new();
    flate2::read::ZlibDecoder::new(&packed[..]).read_to_end(&mut rows).unwrap();
    assert_eq!(rows.len(), height * (3 * width + 1));
    let dots = rows.chunks(3 * width + 1).flat_map(|row| row[1..].to_vec()).collect();
    (width, height, dots)
}

#[test]
fn a_png_has_two_dots_of_each_pixel_and_the_colours_of_its_theme() {
    let figure = &figures()[4];
    for (theme, paper, bar) in [
        (Theme::Light, [255; 3], [0x25, 0x63, 0xa8]),
        (Theme::Dark, [0x1b, 0x1f, 0x23], [0x6f, 0xa8, 0xe8]),
    ] {
        let scene = figure.scene(390.0);
        let (width, height, found) = dots(&Kept::Png.bytes(figure, 390.0, theme).unwrap());
        assert_eq!((width, height as f64), (780, 2.0 * scene.height));
        let share = |colour: [u8; 3]| {
            let alike = found.chunks(3).filter(|dot| *dot == colour).count();
            alike as f64 / (width * height) as f64
        };
        assert_eq!(found[..3], paper);
        assert!(share(paper) > 0.3 && share(bar) > 0.05, "{} {}", share(paper), share(bar));
    }
    let light = Kept::Png.bytes(figure, 390.0, Theme::Auto).unwrap();
    assert_eq!(light, Kept::Png.bytes(figure, 390.0, Theme::Light).unwrap());
}

#[test]
fn a_pdf_has_its_size_its_font_and_its_words() {
    let figure = &figures()[0];
    let pdf = Kept::Pdf.bytes(figure, 960.0, Theme::Auto).unwrap();
    let text = String::from_utf8_lossy(&pdf);
    let height = figure.scene(960.0).height * 0.75;
    assert!(text.starts_with("%PDF-1.") && text.trim_end().ends_with("%%EOF"));
    assert!(text.contains(&format!("/MediaBox [0 0 720 {height}]")), "{height}");
    assert!(text.contains("/FontFile2") && text.contains("/ToUnicode"));
    // The letters of "Precision" are told as letters, so that they are found.
    for letter in "Precision".chars() {
        assert!(text.contains(&format!("> <{:04X}>", u32::from(letter))), "{letter}");
    }
    let twice = Kept::Pdf.bytes(figure, 960.0, Theme::Auto).unwrap();
    assert_eq!(pdf, twice);
}

#[test]
fn an_svg_follows_its_reader_or_keeps_a_theme() {
    let figure = &figures()[3];
    let of = |theme| String::from_utf8(Kept::Svg.bytes(figure, 390.0, theme).unwrap()).unwrap();
    let (auto, light, dark) = (of(Theme::Auto), of(Theme::Light), of(Theme::Dark));
    assert!(auto.contains("prefers-color-scheme: dark") && auto.contains("fill=\"#ffffff\""));
    assert!(!light.contains("<style") && !dark.contains("<style"));
    assert!(dark.contains("fill=\"#1b1f23\"") && !dark.contains("#ffffff"), "{dark}");
    // In a page the ground is the page's, and one style sheet has all colours.
    let part = inline(figure, 390.0);
    assert!(!part.contains("f-paper") && !part.contains("<style") && !part.contains("xmlns"));
    for name in part.split("class=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(sheet().contains(&format!(".{name} {{")), "{name}");
    }
}

#[test]
fn every_number_of_a_picture_is_in_its_csv() {
    let figure = &figures()[0];
    let csv = String::from_utf8(Kept::Csv.bytes(figure, 960.0, Theme::Auto).unwrap()).unwrap();
    let rows: Vec<_> = csv.lines().collect();
    assert_eq!(rows[0], "chart,axis,curve,x,x_end,y,y_low,y_high");
    assert_eq!(rows.len(), 1 + 3 * (21 + 1));
    let wanted = "Recall by similarity,least similarity of a pair,Recall by similarity,0.5,,0.4275,0.405,0.45";
    assert!(rows.contains(&wanted), "{csv}");
    let mark = format!(
        "F1 by similarity,least similarity of a pair,0.912 at 0.97,{},{},,,",
        0.97 - 0.05,
        0.97 + 0.05
    );
    assert!(rows.contains(&&*mark), "{csv}");
}
