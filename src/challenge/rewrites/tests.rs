use proptest::prelude::*;

use super::*;

#[test]
fn each_rewrite_keeps_the_meaning() {
    let rewritten = [
        (Rewrite::BoldNumbers, "There are 12 (of 1,250), at 10:00 on 2026-11-02; 5%."),
        (Rewrite::BoldNumbers, "1. Call 3 people\n#12 v1.2 B2"),
        (Rewrite::BoldNumbers, "It is -4, or 3-5; $1,250 and 12€, not x-4."),
        (Rewrite::BoldLabels, "- Open PRs: 12\nIt is so. Why: x"),
        (Rewrite::CurlyQuotes, "- It's \"so\" - really"),
        (Rewrite::NoBreakSpaces, "There are 12 commits, 3 of them old."),
        (Rewrite::WrappedLines, "- The workshop has a free slot on Thursday at 10:00 and another one on Friday."),
        (Rewrite::Bullets, "Totals:\nOpen: 1\nClosed: 2\n\nThat is all."),
        (Rewrite::TableRows, "Open PRs: 12\nNote: it ends here."),
        (Rewrite::LabelledLines, "| Name | Count |\n| --- | --- |\n| Open | 12 |"),
        (Rewrite::Thousands, "1250 bikes in 2026, and 3,500,000 parts"),
        (Rewrite::Thousands, "$1,250 or -1250, not A-1250"),
        (Rewrite::Thousands, "Order 1042 has 1042 parts"),
        (Rewrite::ClosingLine, "Yes.\n"),
        (Rewrite::OtherOrder, "Two:\n- a\n- b\nend\n- First, c\n- d\n"),
    ]
    .map(|(rewrite, answer)| format!("{rewrite}\n{answer}\n──▶\n{}\n", rewrite.of(answer, false).unwrap()));
    insta::assert_snapshot!(rewritten.join("\n").replace('\u{a0}', "⍽"));
}

proptest! {
    #[test]
    fn a_rewrite_keeps_letters_and_digits(parts in proptest::collection::vec((0..PARTS.len(), any::<char>()), 0..12)) {
        let answer: String = parts.iter().map(|(at, c)| format!("{}{c}", PARTS[*at])).collect();
        let kept = |text: &str| {
            let mut kept: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
            kept.sort_unstable();
            kept
        };
        for rewrite in Rewrite::ALL.into_iter().filter(|rewrite| *rewrite != Rewrite::ClosingLine) {
            if let Ok(rewritten) = rewrite.of(&answer, false) {
                prop_assert_eq!(kept(&answer), kept(&rewritten), "{} {:?}", rewrite, answer);
            }
        }
    }
}

const PARTS: [&str; 16] = [
    "- ",
    "  – ",
    "Open: 1250\n",
    "12 km ",
    "\n",
    "\r\n",
    "\"",
    "'",
    " - ",
    "| a | b |\n",
    "```\n",
    "1. ",
    "1,250 ",
    "a long line of words that goes on and on until it is wrapped somewhere ",
    "é: 5",
    "**",
];

#[test]
fn a_rewrite_declines_where_it_would_change_more() {
    for rewrite in Rewrite::ALL {
        assert_eq!(rewrite.of("- text: 12", true), Err(SNAPSHOT), "{rewrite}");
        assert_eq!(rewrite.of("", false), Err(NO_PLACE), "{rewrite}");
        let code = "```\nTotal: 1250 \"x\"\nOpen: 2 left\n| a | b |\n- one\n- two\n```\n";
        if rewrite != Rewrite::ClosingLine {
            assert_eq!(rewrite.of(code, false), Err(NO_PLACE), "{rewrite}");
        }
    }
    assert_eq!(Rewrite::BoldNumbers.of("see `f 12` at https://x.org/12 12", false), Err(NO_PLACE));
}
