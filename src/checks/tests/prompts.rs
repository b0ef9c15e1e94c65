//! Which text of a response is the prompt's own, and what that means for each check.

use std::path::Path;

use serde_json::json;
use unicode_normalization::UnicodeNormalization as _;

use super::{case, results, transcript};
use crate::checks::prompt::own_text;
use crate::checks::{CheckOutcome, Judged, check, expectations};
use crate::config::Config;
use crate::pattern::Budget;
use crate::suite::{Case, List, Suite};
use crate::syntax::parse;
use crate::text::Span;
use crate::transcript::Transcript;

/// The response with the prompt's own text in `«»`.
fn marked(response: &str, prompts: &[&str]) -> String {
    let mut text = String::new();
    let mut end = 0;
    for Span { start, end: own_end } in own_text(response, prompts) {
        text += &format!("{}«{}»", &response[end..start], &response[start..own_end]);
        end = own_end;
    }
    text + &response[end..]
}

#[track_caller]
fn check_marked(prompt: &str, response: &str) {
    let plain = response.replace(['«', '»'], "");
    assert_eq!(marked(&plain, &[prompt]), response, "{prompt}");
}

/// Prompts, each behind `>`, and how a page shows them: what it adds, takes away or writes otherwise.
#[test]
fn a_message_is_found_however_a_page_shows_it() {
    for shown in include_str!("prompts.txt").split("\n\n") {
        let prompt: Vec<&str> = shown.lines().map_while(|line| line.strip_prefix("> ")).collect();
        let response: Vec<&str> = shown.lines().skip(prompt.len()).collect();
        check_marked(&prompt.join("\n"), &response.join("\n"));
    }
    let book = "Book it for the finance team before Thursday please";
    for (prompt, response) in [
        (book, "You said: «Book it for the finance team before Thurs\u{200b}day please»\n\nSorry."),
        (book, "«Book it for the fi\u{ad}nan\u{ad}ce team before Thurs-»\n«day please»\nSorry."),
        (
            "Réserve un créneau pour l’équipe finance",
            "«Re\u{301}serve un cre\u{301}neau pour l’e\u{301}quipe finance»\nDésolé.",
        ),
    ] {
        check_marked(prompt, response);
    }
}

#[test]
fn an_answers_words_are_never_taken_for_a_short_prompt() {
    for (prompt, response) in [
        ("GitHub", "«GitHub»\nGitHub has 3 issues.\nSee GitHub"),
        ("GitHub", "You: «GitHub»\nSource: GitHub"),
        ("GitHub", "«- text: GitHub»\n- paragraph:\n  - text: See\n  - link \"GitHub\"\n  - strong: GitHub"),
        ("Open repairs", "«Open repairs»\nThe open repairs are 3.\nOpen repairs: 3"),
        ("Open repairs", "You said «Open repairs»"),
        ("Count the open repairs", "I count the open repairs now.\n«Count the open repairs»\nCount the open"),
        ("a a a", "a a a a"),
        ("?!", "?!\nWhat?"),
        ("", "nothing"),
        ("你好世界", "«你好世界»\n你好世界！我是"),
        ("今天有多少个问题", "你问：«今天有多少个问题？»三个。"),
    ] {
        check_marked(prompt, response);
    }
}

#[test]
fn setup_prompts_are_prompts() {
    let response = "Add a board.\nDone.\nShow it.\nIt is shown.";
    assert_eq!(marked(response, &["Add a board.", "Show it."]), "«Add a board.»\nDone.\n«Show it.»\nIt is shown.");
}

#[test]
fn what_is_looked_for_takes_no_longer_for_a_text_that_nearly_repeats() {
    let prompt = "a ".repeat(5_000) + "b";
    let response = "a ".repeat(200_000);
    assert_eq!(own_text(&response, &[&prompt]), []);
}

/// Each character of these may begin a part that a page shows otherwise.
#[test]
fn a_hostile_prompt_is_read_in_linear_time() {
    for part in ["&a", "<a", "![", "](", "1", "- [", ":a", "https://a(", "🎉", "$a", "a.b@", "#1", "(c)"] {
        let prompt = part.repeat(300_000 / part.len());
        assert_eq!(own_text("An answer.", &[&prompt]), [], "{part}");
    }
    let prompt = format!("a{}a", " 🎉 https://b".repeat(40));
    assert_eq!(own_text(&"a x ".repeat(50_000), &[&prompt]), []);
}

const PROMPT: &str =
    "Count GitHub issues: say 12, assuming `Status: open`, in 5 minutes, because a mission has a source.";

/// The result of a check, with `+` passed, `-` failed, and `!` behind it if the prompt decides; and its message.
#[track_caller]
fn comes_of(expected: &str, answer: &str, prompt_counts: bool) -> (String, String) {
    let mut config = Config::parse("[[ui_hints]]\nhint = 'h'\nall_of = [['GitHub'], ['Done']]", &[]).0;
    config.scoring.prompt_counts = Some(prompt_counts);
    let transcript =
        Transcript { prompt: Some(PROMPT.to_owned()), ..transcript(&format!("{PROMPT}\n{answer}"), json!([])) };
    let results = results(expected, &transcript, &config);
    let result = results.iter().find(|result| !result.id.starts_with("outcome")).unwrap();
    let sign = if result.outcome == CheckOutcome::Passed { "+" } else { "-" };
    (format!("{sign}{}", if result.by_prompt { "!" } else { "" }), result.message.clone())
}

#[test]
fn the_prompt_meets_no_check_and_breaks_none_unless_it_counts() {
    for (expected, is_required, answer) in [
        (r#"{ "must_say_any": ["github"] }"#, true, "GitHub"),
        (r#"{ "must_not_say": ["github"] }"#, false, "GitHub"),
        (r#"{ "ui": ["h"] }"#, true, "Done on GitHub"),
        (r#"{ "required_sources": ["github"] }"#, true, "GitHub"),
        (r#"{ "must_ground_numbers": [{ "value": "12" }] }"#, true, "12"),
        (r#"{ "must_ground_numbers": [{ "value": "12", "context_any": ["issues"] }] }"#, true, "12 issues"),
        (r#"{ "must_ground_numbers": [{ "regex": "say \\d+" }] }"#, true, "say 3"),
        (r#"{ "must_label_assumptions": true }"#, true, "Assuming so"),
        (r#"{ "must_match_regex": ["Status: \\w+"] }"#, true, "Status: closed"),
        (r#"{ "must_not_match_regex": ["Status: \\w+"] }"#, false, "Status: closed"),
        (r#"{ "required_levers": 1, "lever_regex": "Count .+" }"#, true, "Count it"),
        (r#"{ "claim_evidence_alignment": true }"#, true, "The mission, because of that source"),
        (r#"{ "evidence_freshness_max_age_minutes": 9 }"#, true, "7 minutes"),
        (r#"{ "must_allow_override_actions": ["Count"] }"#, true, "Count"),
    ] {
        let (met, broken) = if is_required { ("+", "-") } else { ("-", "+") };
        let nothing = if expected.contains("\"ui\"") { "Done" } else { "" };
        for (answer, counts, outcome) in [
            (nothing, true, format!("{met}!")),
            (nothing, false, format!("{broken}!")),
            (answer, true, met.to_owned()),
            (answer, false, met.to_owned()),
        ] {
            let (found, message) = comes_of(expected, answer, counts);
            assert_eq!(found, outcome, "{expected}, {answer:?}, counts: {counts}: {message}");
            let says_so = match counts {
                true => message.ends_with(": your own prompt says so, line 1"),
                false => message.contains(": only your own prompt says so, which does not count, line 1"),
            };
            assert_eq!(says_so, outcome.ends_with('!'), "{expected}: {message}");
        }
    }
}

#[test]
fn evidence_is_what_the_answer_says_where_both_say_it() {
    let mut config = Config::default();
    for counts in [true, false] {
        config.scoring.prompt_counts = Some(counts);
        let answer =
            Transcript { prompt: Some(PROMPT.to_owned()), ..transcript(&format!("{PROMPT}\nGitHub"), json!([])) };
        let result = results(r#"{ "must_say_any": ["GitHub"] }"#, &answer, &config).swap_remove(0);
        assert_eq!(result.message, "`GitHub` is said on line 2");
        assert!(result.evidence.iter().all(|evidence| !evidence.in_prompt), "{result:?}");
    }
}

#[test]
fn the_cases_prompts_are_looked_for_where_the_transcript_has_none() {
    let mut config = Config::default();
    config.scoring.prompt_counts = Some(false);
    let mut asked = case(r#"{ "must_say_any": ["github"] }"#);
    let answer = transcript("Count the GitHub issues", json!([]));
    let outcome = |asked: &Case| {
        let judged = Judged::new(&answer, asked, &config);
        check(&expectations(asked)[0], &judged, &config, &Budget::default()).outcome
    };
    assert_eq!(outcome(&asked), CheckOutcome::Passed);
    let with_prompt = r#"{ "cases": [{ "prompt": "Count the GitHub issues" }] }"#;
    asked.prompt = Case::clone(&Suite::lower(parse(with_prompt).tree.root(with_prompt).unwrap()).cases[0].case).prompt;
    assert_eq!(outcome(&asked), CheckOutcome::Failed);
}

/// Who answered, as the transcript has it, and whether the prompt's words in the answer pass a check: by default, with `true` and with `false`.
#[test]
fn the_prompt_does_not_count_on_a_page_and_counts_in_the_answer_of_a_program() {
    let targets = "[targets.agent]\nkind = 'command'\ncommand = ['a']\n[targets.app]\nkind = 'browser'\nurl = 'http://localhost:1'\n";
    let prompt = "My name is Ann Miller from Leeds.";
    let (text, snapshot) =
        (format!("You are this: {prompt}"), format!("- main:\n  - heading \"Chat\"\n  - text: {prompt}"));
    let list = "- name: Ann Miller\n- town: Leeds\n".repeat(2);
    for (target, response, has_pages, passes) in [
        (Some("agent"), &text, false, [true, true, false]),
        (Some("agent"), &snapshot, false, [true, true, false]),
        (Some("app"), &text, false, [false, true, false]),
        (Some("app"), &text, true, [false, true, false]),
        (Some("gone"), &text, true, [false, true, false]),
        (Some("gone"), &text, false, [true, true, false]),
        (Some("replay"), &snapshot, false, [false, true, false]),
        (None, &text, false, [true, true, false]),
        (None, &snapshot, false, [false, true, false]),
        (None, &list, false, [true, true, true]),
        (None, &format!("- main:\n  - paragraph: {prompt}"), false, [false, true, false]),
    ] {
        let mut answer = transcript(response, json!([]));
        answer.target = target.map(str::to_owned);
        answer.prompt = Some("Who am I?".to_owned());
        answer.setup_prompts = Some(vec![prompt.to_owned()]);
        answer.pages = has_pages.then(Box::default);
        for (setting, passes) in ["", "prompt_counts = true", "prompt_counts = false"].into_iter().zip(passes) {
            let config = Config::parse(&format!("[scoring]\n{setting}\n{targets}"), &[]).0;
            let result = results(r#"{ "must_say_any": ["Ann Miller"] }"#, &answer, &config).swap_remove(0);
            let context = format!("{target:?}, {setting:?}, {response}");
            assert_eq!(result.outcome == CheckOutcome::Passed, passes, "{context}: {}", result.message);
            // In the answer of a program, nothing is called the prompt's own text.
            assert_eq!(result.by_prompt && setting.is_empty(), !passes && setting.is_empty(), "{context}");
        }
    }
}

/// Sentences of five words or more, and the languages that they are in.
const SCRIPTS: [&str; 24] = [
    "Réserve un créneau pour l’équipe demain",
    "Die Straße kreuzt heute den Fluß",
    "İstanbul ve Diyarbakır için bir rapor yaz",
    "Σύγκρινε τις τιμές της ομάδας με τους φόρους",
    "Подготовь ещё один отчёт для йогов",
    "Պատրաստիր և ուղարկիր մեկ զեկույց թիմին",
    "მოამზადე ერთი ანგარიში ფინანსური გუნდისთვის",
    "הכן דוח אחד עבור צוות הַכְּסָפִים",
    "أعدّ تقريرًا واحدًا لفريق المالية آخر",
    "वित्त टीम के लिए क़ीमत की रिपोर्ट",
    "অর্থ দলের জন্য একটি বড়ো প্রতিবেদন",
    "நிதி குழுவிற்கு ஒரு கொள்கை அறிக்கை தொகு",
    "ಹಣಕಾಸು ತಂಡಕ್ಕೆ ಒಂದು ಕೋರಿಕೆ ವರದಿ",
    "ധനകാര്യ സംഘത്തിന് ഒരു കോഴി റിപ്പോർട്ട്",
    "මුදල් කණ්ඩායමට කෝපි වාර්තාවක් එක්",
    "ทำรายงานให้ทีมการเงิน",
    "ເຮັດບົດລາຍງານໃຫ້ທີມການເງິນຳ",
    "ဥဩ ဩော် ဦး ဘဏ္ဍာရေးအဖွဲ့",
    "དངུལ་རྩིས་རུ་ཁག་ལ་སྙན་ཞུ་ཞིག་གཱི",
    "ᬅᬓ᭄ᬱᬭ ᬆ ᬈ ᬊ ᬌ ᬎ",
    "재무 팀을 위한 보고서를 하나 만들어",
    "ガイドを財務チームにパスする。ゞヷ",
    "ｶﾞｲﾄﾞ を ﾊﾟｽ する ﾁｰﾑ に",
    "Tiếng Việt: đặt một lịch hẹn ở Huế",
];

/// How a page encodes and draws the letters of a text.
const DRAWN: [fn(&str) -> String; 7] = [
    |text| text.nfc().collect(),
    |text| text.nfd().collect(),
    |text| text.nfkc().collect(),
    |text| text.nfkd().collect(),
    str::to_uppercase,
    |text| text.to_uppercase().nfd().collect(),
    |text| text.to_lowercase().nfc().collect(),
];

#[test]
fn a_message_is_found_in_each_script_however_its_letters_are_encoded() {
    for sentence in SCRIPTS {
        for prompt in DRAWN.map(|draw| draw(sentence)) {
            for shown in DRAWN.map(|draw| draw(sentence)) {
                check_marked(&prompt, &format!("«{shown}»\nSorry."));
                check_marked(&prompt, &format!("- main:\n«  - paragraph: {shown}»\n  - text: Sorry."));
            }
        }
    }
}

proptest::proptest! {
    #[test]
    fn a_message_of_several_scripts_is_found_among_other_text(
        words in proptest::collection::vec((0..SCRIPTS.len(), 0..6usize, 0..DRAWN.len(), 0..DRAWN.len()), 5..12),
    ) {
        let texts = words.into_iter().map(|(script, at, typed, drawn)| {
            let word = SCRIPTS[script].split(' ').cycle().nth(at).unwrap();
            (DRAWN[typed](word), DRAWN[drawn](word))
        });
        let (prompt, shown): (Vec<String>, Vec<String>) = texts.unzip();
        let (prompt, shown) = (prompt.join(" "), shown.join(" "));
        let left = marked(&format!("Well.\n{shown}\nSorry."), &[&prompt]);
        proptest::prop_assert_eq!(left, format!("Well.\n«{shown}»\nSorry."), "{}", prompt);
    }
}

/// What a person types, and what a page draws.
const SIGNS: &str = r#"
    (c) ⟶ © | (C) ⟶ © | (r) ⟶ ® | (tm) ⟶ ™ | (TM) ⟶ ™ | (p) ⟶ § | (p) ⟶ ℗ | (sm) ⟶ ℠ | (e) ⟶ € | &copy; ⟶ ©
    &trade; ⟶ ™ | &frac12; ⟶ ½ | :tm: ⟶ ™ | ™ ⟶ (tm) | 1/2 ⟶ ½ | 3/4 ⟶ ¾ | 1/3 ⟶ ⅓ | 1 1/2 ⟶ 1½ | ½ ⟶ 1/2
    x^2 ⟶ x² | x^3 ⟶ x³ | 10^-6 ⟶ 10⁻⁶ | H~2~O ⟶ H₂O | 1^st^ ⟶ 1ˢᵗ | ... ⟶ … | -- ⟶ – | --- ⟶ — | "so" ⟶ “so”
    'so' ⟶ ‘so’ | it's ⟶ it’s | -> ⟶ → | <- ⟶ ← | => ⟶ ⇒ | <-> ⟶ ↔ | +- ⟶ ± | != ⟶ ≠ | <= ⟶ ≤ | 2 * 3 ⟶ 2 × 3
    office ⟶ oﬃce | flow ⟶ ﬂow | ABC 123 ⟶ ＡＢＣ　１２３ | bold ⟶ 𝐛𝐨𝐥𝐝 | 1 ⟶ ① | IV ⟶ Ⅳ | No 5 ⟶ № 5 | 20 °C ⟶ 20 ℃
    km ⟶ ㎞ | :) ⟶ 🙂 | :D ⟶ 😃 | <3 ⟶ ❤️ | 8-) ⟶ 😎 | STRASSE ⟶ Straße | STRAẞE ⟶ strasse
"#;

#[test]
fn a_message_is_found_with_the_signs_that_a_page_draws() {
    for signs in SIGNS.split(['|', '\n']).map(str::trim).filter(|signs| !signs.is_empty()) {
        let (typed, drawn) = signs.split_once(" ⟶ ").unwrap();
        let message = |sign: &str| format!("Use the {sign} mark for the finance team report");
        check_marked(&message(typed), &format!("«{}»\nSorry.", message(drawn)));
        check_marked(&message(typed), &format!("- main:\n«  - paragraph: {}»\n  - text: Sorry.", message(drawn)));
        // At the end, and alone on its line.
        let message = |sign: &str| format!("The report says {sign}");
        check_marked(&message(typed), &format!("«{}»\nSorry.", message(drawn)));
    }
}

/// What a person types, and the link, picture or formula that a page shows in its place.
#[test]
fn a_reference_in_a_message_has_any_name() {
    for (typed, shown) in [
        ("#123", "link \"Export fails #123\""),
        ("shop/app#7", "link \"Search is slow\""),
        ("1a2b3c4d5e", "link \"1a2b3c4\""),
        ("SHOP-42", "link \"SHOP-42 Export\""),
        ("ada@example.com", "link \"Ada Lovelace\""),
        ("report.pdf", "button \"report.pdf 2 MB\""),
        ("$x^2 = 4$", "math: x squared equals 4"),
        (":D", "img \"grinning\""),
        ("(c)", "img \"copyright\""),
    ] {
        let prompt = format!("Fix {typed} for the finance team today please");
        let page = format!(
            "- main:\n«  - text: Fix»\n«  - {shown}»\n«  - text: for the finance team today please»\n  - text: Sorry."
        );
        check_marked(&prompt, &page);
    }
}

#[test]
fn what_an_answer_says_in_its_own_words_is_not_the_prompt() {
    for (prompt, response) in [
        (
            "Summarize https://example.com/q3 for the finance team before Thursday",
            "I will summarize the third quarter for the finance team before Thursday.",
        ),
        ("Ask @desk whether the report is ready", "Ask me whether the report is ready later, or @desk."),
        ("See https://example.com/a", "See https://example.com/b, and see the finance team."),
        ("What is the status of @desk?", "The status of the desk is good."),
        ("🎉", "🎉 Party"),
        ("か", "が"),
        ("Schon fertig", "Schön fertig"),
        ("Close SHOP-42", "The link to close SHOP-42 is there."),
        ("https://example.com", "The address is https://example.com, of course."),
    ] {
        check_marked(prompt, response);
    }
}

/// What a prompt is made of: its text, and how a page shows it in a text and in a snapshot.
#[derive(Clone, Copy, Debug)]
struct Part {
    written: &'static str,
    in_text: &'static str,
    in_snapshot: &'static str,
}

const PARTS: [Part; 12] = [
    plain("the finance team"),
    plain("réserve un créneau"),
    plain("show *12* open repairs"),
    plain("what’s in \"Today\"?"),
    plain("今天有多少个问题"),
    Part {
        written: "https://www.example.com/q3/a?x=1",
        in_text: "example.com/q3/a",
        in_snapshot: "link|The third quarter",
    },
    Part { written: "@ada.l", in_text: "@ada.l", in_snapshot: "link|Ada Lovelace" },
    Part { written: "[our docs](/docs/a)", in_text: "our docs", in_snapshot: "link|our docs" },
    Part { written: "🎉", in_text: "🎉", in_snapshot: "img|party popper" },
    Part { written: ":tada:", in_text: "🎉", in_snapshot: "img|party popper" },
    Part { written: "R&amp;D", in_text: "R&D", in_snapshot: "text|R&D" },
    Part { written: "<b>now</b>", in_text: "now", in_snapshot: "strong|now" },
];

const fn plain(written: &'static str) -> Part {
    Part { written, in_text: written, in_snapshot: "" }
}

/// How a page shows a prompt. Each is a form in which a target can read a page.
const RENDERINGS: [fn(&[Part]) -> String; 9] = [
    |parts| joined(parts, |part| part.written),
    |parts| joined(parts, |part| part.in_text),
    |parts| joined(parts, |part| part.in_text).to_uppercase().replace(' ', "\u{a0}"),
    // Each word on a line, quoted, with the line ends of Windows.
    |parts| joined(parts, |part| part.in_text).split(' ').map(|word| format!("> {word}\r\n")).collect(),
    // Places to break long words.
    |parts| {
        let split = |c: char| if c.is_alphabetic() { vec!['\u{200b}', c, '\u{ad}'] } else { vec![c] };
        joined(parts, |part| part.in_text).chars().flat_map(split).collect()
    },
    |parts| joined(parts, |part| part.in_text).nfd().collect(),
    |parts| {
        snapshot(parts, |role, name| match role {
            "text" => format!("    - text: {name}\n"),
            "link" => format!("    - link {name}:\n      - /url: https://example.com/far/away\n"),
            _ => format!("    - {role} {name}\n"),
        })
    },
    |parts| {
        snapshot(parts, |role, name| match role {
            "text" => format!("    - StaticText {name}\n"),
            _ => format!("    - {role} {name}\n      - StaticText {name}\n"),
        })
    },
    // Each half of a word is a node, as on a page that marks what a search found.
    |parts| {
        snapshot(parts, |role, name| {
            let halves = name.replace("\\\"", "”").trim_matches('"').split(' ').map(str::to_owned).collect::<Vec<_>>();
            let halves = halves.into_iter().flat_map(|word| {
                let middle = word.char_indices().nth(word.chars().count() / 2).map_or(0, |(at, _)| at);
                [word[..middle].to_owned(), word[middle..].to_owned()]
            });
            let halves = halves.filter(|half| !half.is_empty());
            let nodes: String = halves.map(|half| format!("      - mark: \"{half}\"\n")).collect();
            match role {
                "img" => format!("    - img {name}\n"),
                "text" => format!("    - emphasis:\n{nodes}"),
                role => format!("    - {role}:\n{nodes}"),
            }
        })
    },
];

fn joined(parts: &[Part], text: impl Fn(&Part) -> &'static str) -> String {
    parts.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn snapshot(parts: &[Part], node: impl Fn(&str, &str) -> String) -> String {
    let nodes = parts.iter().map(|part| {
        let (role, name) = part.in_snapshot.split_once('|').unwrap_or(("text", part.in_text));
        node(role, &serde_json::to_string(name).unwrap())
    });
    format!("- main:\n  - paragraph:\n{}", nodes.collect::<String>())
}

proptest::proptest! {
    #[test]
    fn nothing_of_a_prompt_is_left_however_a_page_renders_it(
        parts in proptest::collection::vec(proptest::sample::select(&PARTS[..]), 2..7),
    ) {
        // A prompt of few words is common words, which an answer may use.
        let parts = [&[PARTS[0]], parts.as_slice(), &[PARTS[2]]].concat();
        let prompt = RENDERINGS[0](&parts);
        let left = |response: &str| {
            let mut text = response.to_owned();
            own_text(response, &[&prompt]).into_iter().rev().for_each(|own| text.replace_range(own.range(), ""));
            text
        };
        for (number, rendered) in RENDERINGS.iter().map(|render| render(&parts)).enumerate() {
            let rest = left(&rendered);
            let rest: Vec<&str> = rest.split(|c: char| !c.is_alphanumeric()).collect();
            let rest: Vec<&&str> = rest.iter().filter(|word| !["", "main", "paragraph"].contains(word)).collect();
            proptest::prop_assert!(rest.is_empty(), "rendering {number} leaves {rest:?} of {prompt:?}:\n{rendered}");
            // What the answer says stays.
            let is_snapshot = rendered.starts_with("- main");
            let answer = if is_snapshot { "  - text: Ask the finance team." } else { "Ask the finance team." };
            let rest = left(&format!("{}\n{answer}", rendered.trim_end_matches('\n')));
            proptest::prop_assert!(rest.contains(answer.trim()), "rendering {number} of {prompt:?} hides it:\n{rest}");
        }
    }
}

#[test]
fn a_picture_at_the_start_or_end_of_a_prompt_is_its_own() {
    let prompt = "🚀 Show the twelve open repairs 🚀";
    let page =
        "- paragraph:\n  - img \"rocket\"\n  - text: Show the twelve open repairs\n  - img \"rocket\"\n- text: Done.";
    let own = own_text(page, &[prompt]);
    let left: String = own.into_iter().rev().fold(page.to_owned(), |mut text, own| {
        text.replace_range(own.range(), "");
        text
    });
    assert!(!left.contains("rocket") && !left.contains("repairs") && left.contains("Done."), "{left}");
}

/// How a page shows messages: as a text, and as the snapshots of two programs.
fn pages(prompts: &[&str]) -> [String; 4] {
    let quoted =
        |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "\\\\").replace('"', "\\\"");
    let each = |show: &dyn Fn(&str) -> String| prompts.iter().map(|prompt| show(prompt)).collect::<String>();
    [
        each(&|prompt| format!("{prompt}\n")),
        each(&|prompt| format!("{}\n", prompt.split_whitespace().collect::<Vec<_>>().join(" "))),
        format!(
            "- main\n  - log\n{}  - textbox \"Ask\" focusable: {}",
            each(&|prompt| format!("    - paragraph\n      - StaticText \"{}\"\n", quoted(prompt))),
            prompts.last().map(|prompt| quoted(prompt)).unwrap_or_default(),
        ),
        format!("- log:\n{}", each(&|prompt| format!("  - paragraph: \"{}\"\n", quoted(prompt)))),
    ]
}

#[test]
fn a_page_that_shows_only_the_prompt_meets_no_positive_check_of_the_example_suites() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut met_with_prompt = 0;
    let mut tried = 0;
    for folder in ["", "demo-app", "faulty"] {
        for entry in std::fs::read_dir(examples.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if !path.to_string_lossy().ends_with(".json") {
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            let parsed = parse(&source);
            let suite = Suite::lower(parsed.tree.root(&source).unwrap());
            let toml = std::fs::read_to_string(path.with_file_name("eval-ls.toml")).unwrap();
            let mut config = Config::parse(&toml, &[]).0;
            for placed in &suite.cases {
                let case = &placed.case;
                let setup = case.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.as_str());
                let prompts: Vec<&str> = setup.chain(case.prompt.as_ref().map(|prompt| &*prompt.value)).collect();
                for page in pages(&prompts) {
                    for counts in [false, true] {
                        config.scoring.prompt_counts = Some(counts);
                        let answer = transcript(&page, json!([]));
                        let judged = Judged::new(&answer, case, &config);
                        for asked in expectations(case).iter().filter(|asked| is_positive(asked.key)) {
                            let result = check(asked, &judged, &config, &Budget::default());
                            let is_met = result.outcome == CheckOutcome::Passed;
                            met_with_prompt += usize::from(counts && is_met);
                            tried += usize::from(counts);
                            assert!(counts || !is_met, "{}: {}: {}\n{page}", path.display(), asked.id, result.message);
                        }
                    }
                }
            }
        }
    }
    assert!(met_with_prompt > 0 && tried > 100, "{met_with_prompt} of {tried} would be met by the prompt");
}

/// Whether a check of that field asks for something to be in the response.
fn is_positive(field: &str) -> bool {
    !["tool_calls_any", "tool_calls_none", "telemetry", "outcome", "must_not_say", "must_not_match_regex"]
        .contains(&field)
}
