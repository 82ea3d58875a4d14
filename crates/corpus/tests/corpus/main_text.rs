//! What the main text of a page is by its structure: pages of made sites, and pages that have none.

use nearprint_corpus::{Fallback, Page, PageRules};
use nearprint_testing::sites::{Frame, Template, article, links, page, prose};
use std::collections::HashSet;

fn main_of(markup: &str) -> (String, Option<Fallback>) {
    let page = Page::new(markup, PageRules::Shown);
    let (text, fallback) = page.main();
    (text.into_owned(), fallback)
}

/// The share of runs of three words that two texts have in common.
fn similarity(a: &str, b: &str) -> f64 {
    let runs = |text: &str| -> HashSet<Vec<String>> {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        words.windows(3).map(<[_]>::to_vec).collect()
    };
    let (a, b) = (runs(a), runs(b));
    a.intersection(&b).count() as f64 / a.union(&b).count().max(1) as f64
}

const LENGTHS: [usize; 4] = [90, 150, 300, 600];

/// Frames of 0 to 240 words: menus before, behind and on both sides, with a footer and a notice.
fn frames() -> Vec<Frame> {
    let of = |words: usize| {
        let menu = words - words / 6;
        [(menu, 0), (0, menu), (menu / 2, menu / 2)].map(|(before, after)| Frame {
            before,
            after,
            footer: words / 6,
            notice: words == 120,
            sidebar: 0,
        })
    };
    [0, 15, 30, 60, 120, 240].into_iter().flat_map(of).collect()
}

#[test]
fn an_article_is_the_same_under_any_template() {
    let (mut pairs, mut missed) = (0, Vec::new());
    for (at, frame) in frames().iter().enumerate() {
        for words in LENGTHS {
            let text = prose(at as u64 * 7 + words as u64, words);
            let [first, second] = [1, 2].map(|site| {
                Template::ALL.map(|template| main_of(&article(template, frame, site, &text)).0)
            });
            for (i, a) in first.iter().enumerate() {
                for (j, b) in second.iter().enumerate() {
                    pairs += 1;
                    if similarity(a, b) < 0.8 {
                        missed.push((Template::ALL[i], Template::ALL[j], *frame, words));
                    }
                }
            }
        }
    }
    assert!(
        missed.len() * 100 <= pairs,
        "{} of {pairs}: {:#?}",
        missed.len(),
        &missed[..20.min(missed.len())]
    );
}

#[test]
fn a_sidebar_that_says_what_it_is_changes_nothing() {
    for template in [Template::Named, Template::Table, Template::Semantic, Template::Roles] {
        for (sidebar, words) in [(60, 90), (240, 90), (240, 600)] {
            let text = prose(5, words);
            let [a, b] = [1, 2].map(|site| {
                let frame = Frame { before: 40, sidebar, footer: 30, ..Frame::default() };
                main_of(&article(template, &frame, site, &text)).0
            });
            assert!(similarity(&a, &b) >= 0.8, "{template:?}, {sidebar} beside {words}: {a}");
        }
    }
}

#[test]
fn another_article_of_the_same_site_is_another_text() {
    for template in Template::ALL {
        for (sidebar, footer) in [(0, 40), (0, 120), (80, 40), (240, 0)] {
            for words in [40, 90, 300] {
                // Where nothing tells what a sidebar is, so much of it is more than the page.
                if template == Template::Soup && sidebar > 4 * words {
                    continue;
                }
                let frame = Frame { before: 40, after: 40, sidebar, footer, notice: true };
                let texts = [1, 2]
                    .map(|seed| main_of(&article(template, &frame, 9, &prose(seed, words))).0);
                let alike = similarity(&texts[0], &texts[1]);
                assert!(
                    alike < 0.8,
                    "{template:?}, {words} beside {sidebar} and {footer}: {alike} {texts:#?}"
                );
            }
        }
    }
}

#[test]
fn pages_that_share_a_footer_alone_are_not_alike() {
    for template in Template::ALL {
        for (footer, entries) in [(30, 60), (65, 40), (65, 300), (200, 120)] {
            let frame = Frame { before: 20, footer, ..Frame::default() };
            let texts = [1, 2].map(|seed| {
                main_of(&page(template, &frame, 9, "All chapters", &links(100 + seed, entries))).0
            });
            let alike = similarity(&texts[0], &texts[1]);
            assert!(alike < 0.8, "{template:?}, {entries} over {footer}: {alike} {texts:#?}");
        }
    }
}

#[test]
fn two_articles_are_two() {
    for template in Template::ALL {
        for (first, second) in [(200, 200), (300, 120), (120, 300)] {
            let both = |seed| {
                let (a, b) = (prose(1, first), prose(seed, second));
                let body = format!("<div><p>{a}</p></div><h1>Another</h1><div><p>{b}</p></div>");
                main_of(&page(template, &Frame { before: 20, ..Frame::default() }, 9, "One", &body))
                    .0
            };
            let (a, b) = (both(2), both(3));
            assert!(similarity(&a, &b) < 0.8, "{template:?}, {first} and {second}: {a}\n\n{b}");
        }
    }
}

#[test]
fn a_declared_main_element_is_the_main_text_where_what_was_found_is_none_of_it() {
    let entries = links(3, 80);
    let footer = prose(8, 90);
    let markup =
        format!("<body><div role=\"main\"><h1>Index</h1>{entries}</div><div>{footer}</div>");
    let (text, fallback) = main_of(&markup);
    assert_eq!(fallback, None);
    assert!(text.starts_with("Index\n") && !text.contains(&footer), "{text}");
    // Without the declaration there is no telling, and all text is taken.
    let (text, fallback) = main_of(&markup.replace("role=\"main\"", ""));
    assert_eq!((text.contains(&footer), fallback), (true, Some(Fallback::Doubtful)));
}

#[test]
fn pages_without_main_text_give_all_their_text() {
    let footer = prose(2, 60);
    for (name, markup, because) in [
        ("nothing", String::new(), Fallback::Short),
        ("attributes", format!("<p title=\"{footer}\"><img alt=\"{footer}\">x"), Fallback::Short),
        ("a footer", format!("<body><footer><p>{footer}</p></footer>"), Fallback::Doubtful),
        ("a notice", "<body><div><p>We use cookies to give you the best experience. By going on you agree to \
                      that, and to what our many partners do with it.</p></div>".to_owned(), Fallback::Short),
        ("links", format!("<body>{}", links(1, 400)), Fallback::Doubtful),
    ] {
        let (text, fallback) = main_of(&markup);
        assert_eq!(text, Page::new(&markup, PageRules::Shown).full(), "{name}");
        assert_eq!(fallback, Some(because), "{name}");
    }
}

#[test]
fn sentences_need_no_spaces() {
    let article =
        "\u{8001}\u{8336}\u{9986}\u{91cd}\u{65b0}\u{5f00}\u{95e8}\u{4e86}\u{3002}".repeat(20);
    let other = "\u{6cb3}\u{8fb9}\u{7684}\u{56fe}\u{4e66}\u{9986}\u{5173}\u{95ed}\u{4e86}\u{3002}"
        .repeat(20);
    let markup =
        format!("<div><div><h1>\u{8001}</h1><p>{article}</p></div><div><p>{other}</p></div></div>");
    let (text, _) = main_of(&markup);
    assert!(text.contains(&article) && text.contains(&other), "{text}");
}

/// What a page is about, in words that are no prose.
fn contents(seed: u64) -> [String; 6] {
    let words = prose(seed, 240).replace(['.', ','], "");
    let words: Vec<&str> = words.split(' ').collect();
    let each = |item: fn(&str, &str) -> String| {
        words.chunks_exact(4).map(|four| item(&four[..2].join(" "), &four[2..].join(" "))).collect()
    };
    let rows: String = each(|a, b| format!("<tr><th>{a}</th><td>{b}</td></tr>"));
    let entries: String = each(|a, b| format!("<li>{a}, {b}</li>"));
    let terms: String = each(|a, b| format!("<dt>{a}</dt><dd>{b}</dd>"));
    let fields: String = each(|a, b| format!("<p><label>{a} {b}</label><input></p>"));
    let figures: String =
        each(|a, b| format!("<figure><img><figcaption>{a} {b}</figcaption></figure>"));
    let prices: String = each(|a, b| format!("<li><a href=\"x\">{a}</a> {b}</li>"));
    [
        format!("<table>{rows}</table>"),
        format!("<ul>{entries}</ul>"),
        format!("<dl>{terms}</dl>"),
        format!("<form>{fields}</form>"),
        figures,
        format!("<ul>{prices}</ul>"),
    ]
}

/// A page of this name and content that also has a paragraph.
type Place = fn(&str, &str, &str) -> String;

#[test]
fn pages_that_share_a_paragraph_alone_are_not_alike() {
    let places: [(&str, Place); 8] = [
        ("banner", |name, own, all| format!("<div><h1>Miller</h1>{all}</div><h1>{name}</h1>{own}")),
        ("lower", |name, own, all| format!("<div><h1>Miller</h1>{all}</div><h2>{name}</h2>{own}")),
        ("bold", |name, own, all| format!("<div>{all}</div><b>{name}</b>{own}")),
        ("after", |name, own, all| format!("<b>{name}</b>{own}<div><h3>About us</h3>{all}</div>")),
        ("main", |name, own, all| format!("<main><h1>{name}</h1>{own}<div>{all}</div></main>")),
        ("product", |name, own, all| {
            format!("<main><h1>{name}</h1>{own}<h2>Post</h2>{all}</main>")
        }),
        ("nameless", |_, own, all| format!("<main>{own}<div>{all}</div></main>")),
        ("article", |name, own, all| format!("<article>{all}</article><b>{name}</b>{own}")),
    ];
    for blurb in [50, 100] {
        let all = format!("<p>{}</p>", prose(77, blurb));
        for (place, markup) in places {
            let pages = [1, 2].map(|seed| {
                let name = prose(seed + 50, 3);
                contents(seed).map(|own| {
                    let body = markup(&name, &own, &all);
                    main_of(&format!("<title>{name}</title><body>{body}")).0
                })
            });
            for (kind, (a, b)) in pages[0].iter().zip(&pages[1]).enumerate() {
                let alike = similarity(a, b);
                assert!(alike < 0.8, "{place}, content {kind} beside {blurb}: {alike} {a}\n\n{b}");
            }
        }
    }
}

#[test]
fn what_the_title_names_is_the_title() {
    let blurb = prose(7, 60);
    let [a, b] = [1, 2].map(|seed| {
        let name = prose(seed, 3);
        let own = links(seed, 120);
        let body = format!("<div><h1>Miller</h1><p>{blurb}</p></div><h1>{name}</h1>{own}");
        main_of(&format!("<title>{name}</title><body>{body}")).0
    });
    assert!(similarity(&a, &b) < 0.8, "{a}\n\n{b}");
}

#[test]
fn a_page_without_headings_is_found_under_any_menu() {
    let (text, title) = (prose(3, 90), "How the old mill by the river came to be a house");
    let half = text.match_indices(". ").nth(4).unwrap().0 + 1;
    let (one, other) = text.split_at(half);
    let alone = main_of(&article(Template::Soup, &Frame::default(), 1, &text)).0;
    for words in [20, 100, 400] {
        let (menu, footer) = (links(5, words), prose(9, 12));
        let broken = format!(
            "<div id=menu>{menu}</div><div><b>{title}</b><br> <br>{one}<br><br>{other}</div><div>{footer}</div>"
        );
        let found = main_of(&broken).0;
        assert!(similarity(&alone, &found) >= 0.8, "{words}: {found}");
    }
    let table = format!(
        "<title>{title}</title><table><tr><td colspan=2><font>{title}</font></td></tr><tr><td>{}</td>\
         <td><p>{one}</p><p>{other}</p></td></tr><tr><td colspan=2><small>{}</small></td></tr></table>",
        links(5, 60),
        prose(9, 18)
    );
    let found = main_of(&table).0;
    assert!(similarity(&alone, &found) >= 0.8, "{found}");
}

#[test]
fn a_line_over_a_notice_says_that_it_is_one() {
    let [a, b] = [1, 2].map(|seed| {
        let (own, notice) = (links(seed, 40), prose(9, 70));
        main_of(&format!("<body><div>{own}</div><div><p>We use cookies.</p><p>{notice}</p></div>"))
            .0
    });
    assert!(similarity(&a, &b) < 0.8, "{a}\n\n{b}");
}

#[test]
fn one_section_of_two_is_no_main_text() {
    let shared = prose(1, 150);
    for own in contents(2).iter().take(2) {
        let own = &own[..own.len() / 2];
        let markup = format!(
            "<body><div><h2>Building</h2></div><div><h3>Tools for one</h3><p>{shared}</p></div>\
             <div><h3>Tools for all</h3>{own}</div>"
        );
        let (text, _) = main_of(&markup);
        assert!(text.contains("Tools for all"), "{text}");
    }
}

#[test]
fn a_notice_over_the_title_is_no_main_text() {
    let (notice, entries) = (prose(1, 40), links(2, 60));
    let markup =
        format!("<main><div><p>{notice}</p></div><h1>Guide</h1><p>By a hand.</p>{entries}</main>");
    let (text, fallback) = main_of(&markup);
    assert!(text.contains("By a hand.") && text.len() > 2 * notice.len(), "{text}");
    assert_eq!(fallback, None);
}
