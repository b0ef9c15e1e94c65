//! The Markdown of a run: the report beside its JSON, and the summary for a team.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use similar::{ChangeTag, TextDiff};

use crate::events::{CaseFinished, Estimate, Grade, RepeatSummary, RunFinished, average_score};
use crate::runner::Run;
use crate::text::{LineColumn, counted, number, percent_encoded, visible_start};
use crate::verdict::{CaseResult, Status};
use crate::wording::{
    Line, Markup, add_check, add_further, add_score, check_name, code_block, disarmed, escaped_for_sites,
    further_reason, main_reason, open_checks, reasons, score_decides,
};

use super::RunDocument;

/// The longest value in a cell, in code points. A wider table scrolls.
const CELL: usize = 300;

/// A suite's result as Markdown: its source, a summary, a table of the cases, and the open checks of each case that did
/// not pass. Text from the suite and the answers cannot become a link, an image, HTML or another cell.
///
/// # Errors
/// If `out` cannot be written.
pub(crate) fn markdown(run: &RunDocument, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "# Eval results\n")?;
    let head = [
        ("Generated at", Some(run.generated_at.as_str())),
        ("Eval file", Some(run.eval_file.as_str())),
        ("Target", Some(&run.target)),
        ("Session", Some(&run.session)),
        ("Telemetry log", run.telemetry_log_path.as_deref()),
        ("App URL", run.app_url.as_deref()),
        ("Space URL", run.space_url.as_deref()),
    ];
    writeln!(out, "- Answers: {}", plain(&run.answers))?;
    for (name, value) in head.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        writeln!(out, "- {name}: {}", plain(value))?;
    }
    if run.not_run > 0 {
        writeln!(out, "- Not run: {}", counted(run.not_run, "case"))?;
    }
    let summary = &run.summary;
    writeln!(out, "\n## Summary\n")?;
    for (name, count) in [
        ("Pass", summary.pass),
        ("Fail", summary.fail),
        ("Partial", summary.partial),
        ("Error", summary.error),
        ("Total", summary.total),
    ] {
        writeln!(out, "- {name}: {count}")?;
    }
    if let Some(average) = average_score(run.cases.iter().map(|case| &**case)) {
        writeln!(out, "- Average soft score {average}")?;
    }
    if let Some(answers) = &summary.answers {
        writeln!(out, "- {}", answers.line())?;
    }
    writeln!(out, "\n## Cases\n")?;
    table(&run.cases, out)?;
    details(&run.cases, out)?;
    screenshots(run, out)
}

/// The table of the cases.
fn table(cases: &[Arc<CaseResult>], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "| Case | Status | Soft Score | Missing Sources | Missing Numbers | Failed Checks | Unknown UI Checks |\n\
         | --- | --- | --- | --- | --- | --- | --- |"
    )?;
    for case in cases {
        let stale = if case.stale { " (stale)" } else { "" };
        let failed = match &case.reason {
            Some(reason) => plain(&main_reason(reason)),
            None => list(&case.checks.failed),
        };
        let cells = [
            plain(&case.id),
            format!("{}{stale}", status_label(case)),
            case.metrics.scoring.soft_score.shown().map_or_else(String::new, number),
            list(&case.metrics.synthesis.missing_sources),
            list(&case.metrics.synthesis.missing_numbers),
            failed,
            list(&case.checks.unknown_ui),
        ];
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    Ok(())
}

/// Each case that did not pass: its checks with their evidence, its score if that decides anything, and its answer.
fn details(cases: &[Arc<CaseResult>], out: &mut impl Write) -> io::Result<()> {
    for case in cases.iter().filter(|case| case.status != Status::Pass) {
        let mut head = Markup::default();
        head.paragraph(Line::new("### ").text(&case.id).say(format!(" · {}", case.status)));
        write!(out, "\n{}\n{}", head.to_site_markdown(), case_section(case))?;
    }
    Ok(())
}

/// The longest answer in a section, in code points. The file of the answer has the rest.
const ANSWER: usize = 4_000;

/// What is shown of a case that did not pass: its reason or its checks with their evidence, its score if that decides
/// anything, and the beginning of its answer, folded.
pub(super) fn case_section(case: &CaseResult) -> String {
    let mut page = Markup::default();
    if let Some(reason) = &case.reason {
        page.paragraph(Line::default().message(&main_reason(reason)));
    }
    add_further(&mut page, case.reason.as_deref());
    open_checks(case).for_each(|check| add_check(&mut page, check, None));
    if score_decides(case) {
        add_score(&mut page, case);
    }
    let mut text = String::new();
    if !page.is_empty() {
        text += &format!("\n{}\n", page.to_site_markdown());
    }
    if case.snapshot_excerpt.lines().any(|line| !line.trim().is_empty()) {
        let lines: Vec<String> = case.snapshot_excerpt.lines().map(disarmed).collect();
        let answer: String = lines.join("\n").chars().take(ANSWER).collect();
        // The blank lines make Markdown of the block within the element. A code block shows everything as text.
        let block = code_block(&answer);
        text += &format!("\n<details><summary>Answer</summary>\n\n{block}\n\n</details>\n");
    }
    text
}

/// A link to each screenshot, relative to the folder of the result.
fn screenshots(run: &RunDocument, out: &mut impl Write) -> io::Result<()> {
    let pictures = run.cases.iter().filter_map(|case| Some((case, case.screenshot.as_deref()?)));
    for (nth, (case, picture)) in pictures.enumerate() {
        if nth == 0 {
            writeln!(out, "\n## Screenshots\n")?;
        }
        writeln!(out, "- [{}](<{}>)", plain(&case.id), link(run.folder.as_deref(), Path::new(picture)))?;
    }
    Ok(())
}

/// The relative URL of a file, seen from a folder.
fn link(folder: Option<&Path>, file: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let file = absolute(file);
    let folder = folder.map(absolute).unwrap_or_default();
    let shared = folder.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = file.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).map(|part| percent_encoded(&part)).collect::<Vec<_>>().join("/")
}

fn list(values: &[String]) -> String {
    values.iter().map(|value| plain(value)).collect::<Vec<_>>().join(", ")
}

/// Text as Markdown, shortened if it is long.
fn plain(text: &str) -> String {
    escaped_for_sites(&visible_start(text, CELL))
}

/// The lines around a difference.
const AROUND: usize = 3;

/// The lines that differ between two answers, with some lines around them. Each has its sign: `+`, `-` or a space.
pub(crate) fn differences(before: &str, now: &str) -> Vec<(char, String)> {
    let diff = TextDiff::configure().timeout(std::time::Duration::from_millis(200)).diff_lines(before, now);
    let mut found = Vec::new();
    for group in diff.grouped_ops(AROUND) {
        if !found.is_empty() {
            found.push((' ', "…".to_owned()));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            found.push((sign, change.value().trim_end_matches(['\r', '\n']).to_owned()));
        }
    }
    found
}

/// The status of a case, and for a flaky one how many attempts passed: `FLAKY 3 of 5`.
pub(super) fn status_label(case: &CaseResult) -> String {
    match case.repeats.as_ref().filter(|repeats| repeats.flaky) {
        None => case.status.to_string(),
        Some(repeats) => {
            let (passed, judged) = repeats.passed();
            format!("FLAKY {passed} of {judged} ({})", case.status)
        }
    }
}

/// The cases that ran several times, as one line: `5 attempts each: pass@1 72 % (64 to 79 %), pass@5 …, 2 flaky cases`.
pub(super) fn repeats_line(repeats: &RepeatSummary) -> String {
    let percent = |share: f64| (share * 100.0).round();
    let estimate = |name: String, estimate: &Option<Estimate>| {
        let Estimate { value, low, high } = estimate.as_ref()?;
        Some(format!("{name} {} % ({} to {} %)", percent(*value), percent(*low), percent(*high)))
    };
    let k = repeats.k.unwrap_or_default();
    let numbers = [
        estimate("pass@1".to_owned(), &repeats.pass_at_1),
        estimate(format!("pass@{k}"), &repeats.pass_at_k),
        estimate(format!("pass^{k}"), &repeats.pass_hat_k),
        Some(counted(repeats.flaky, "flaky case")),
    ];
    let each = match repeats.k {
        Some(k) => format!("{} ran {k} times", counted(repeats.cases, "case")),
        None => format!("{} ran several times", counted(repeats.cases, "case")),
    };
    format!("{each}: {}", numbers.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// What is open in a case, each with its start, its end and its message.
pub(super) fn annotations_of(case: &CaseFinished) -> Vec<(LineColumn, LineColumn, String)> {
    let of_case = case.case.range;
    let checks: Vec<_> = open_checks(&case.result)
        .map(|check| {
            let start = check.suite.unwrap_or(of_case.start);
            let end = check.suite_end.unwrap_or(if check.suite.is_some() { start } else { of_case.end });
            (start, end, format!("{}: {}", check_name(check), check.message))
        })
        .collect();
    if case.status == Status::Error || checks.is_empty() {
        let mut message = reasons(&case.result);
        if let Some(further) = case.result.reason.as_deref().map(further_reason).filter(|further| !further.is_empty()) {
            message.extend(["\n", further]);
        }
        return vec![(of_case.start, of_case.end, message)];
    }
    checks
}

/// The longest report, in bytes: a comment of a pull request has at most 65,536 characters.
const LONGEST: usize = 60_000;

/// A run as Markdown for a team: the step summary of a workflow, and the comment of a pull request. First the counts, then
/// each case that did not pass with its checks, what came nearest, and its answer folded.
/// Text from suites and answers cannot become a link, an image or HTML.
pub(crate) fn summary(run: &Run) -> String {
    let mut text = format!("## {}\n\n{}\n", heading(run), counts_line(run));
    text.extend(run.took().map(|took| format!("\n{took}\n")));
    if let Some(repeats) = run.finished().and_then(|finished| finished.summary.repeats.as_ref()) {
        // A caret and an at sign mean nothing in Markdown.
        text += &format!("\n{}\n", repeats_line(repeats));
    }
    for suite in run.not_run() {
        let line = Line::new("- ✗ ").code(&suite.suite).say(": ").message(&suite.reason);
        text += &format!("\n{}\n", line.markdown());
    }
    let open = run.not_passed();
    let mut left = open.len();
    for case in &open {
        let section = section(run, case);
        if text.len() + section.len() > LONGEST {
            break;
        }
        text.push_str(&section);
        left -= 1;
    }
    if left > 0 {
        text += &format!("\n{} more did not pass.\n", counted(left, "case"));
    }
    text
}

fn heading(run: &Run) -> String {
    let suites = counted(run.not_run().len(), "suite");
    let Some(finished) = run.finished() else {
        return match run.not_run().len() {
            0 => "Eval results: the run did not finish".to_owned(),
            _ => format!("✗ Eval results: {suites} cannot be run"),
        };
    };
    let (total, failed) = (counted(finished.summary.total, "case"), finished.failures + finished.summary.error);
    match failed {
        _ if finished.cancelled => format!("✗ Eval results: interrupted after {total}"),
        _ if finished.not_run > 0 => format!("✗ Eval results: ended early after {total}"),
        0 if !run.not_run().is_empty() => format!("✗ Eval results: {suites} cannot be run"),
        0 if finished.summary.pass == finished.summary.total => format!("✓ Eval results: {total} passed"),
        0 => "✓ Eval results: no failure counts".to_owned(),
        1 => format!("✗ Eval results: 1 of {total} fails the run"),
        failed => format!("✗ Eval results: {failed} of {total} fail the run"),
    }
}

/// The number of cases by status, and what else decides whether the run fails, as one line.
pub(super) fn counts_line(run: &Run) -> String {
    let Some(finished) = run.finished() else { return "no case was run".to_owned() };
    let not_run = if finished.not_run > 0 { format!(", {} not run", finished.not_run) } else { String::new() };
    let counts = format!("{}: {}{not_run}{}", cases_in_suites(finished), finished.summary.line(), stale_words(run));
    let decisions = run.policy().decisions(run.results());
    let average = run.average_score().map(|average| format!("average soft score {average}"));
    std::iter::once(counts).chain(decisions).chain(average).collect::<Vec<_>>().join("; ")
}

/// How many answers are stale, as an end of the counts; empty if there are none.
pub(super) fn stale_words(run: &Run) -> String {
    let stale = run.results().filter(|case| case.stale).count();
    if stale > 0 { format!(", {stale} stale") } else { String::new() }
}

/// How many cases and suites were run: `3 cases in 1 suite`.
pub(super) fn cases_in_suites(finished: &RunFinished) -> String {
    format!("{} in {}", counted(finished.summary.total, "case"), counted(finished.suites.len(), "suite"))
}

fn section(run: &Run, case: &CaseFinished) -> String {
    let mut head = Markup::default();
    let grade = run.policy().grade(&case.result);
    let note = if grade == Grade::Passed { " (does not fail the run)" } else { "" };
    head.paragraph(Line::new("### ").text(&case.case.case).say(format!(" · {}{note}", status_label(&case.result))));
    let start = case.case.range.start;
    head.paragraph(Line::default().code(&format!("{}:{}:{}", case.case.suite, start.line, start.column)));
    format!("\n{}\n{}", head.to_site_markdown(), case_section(&case.result))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

    use crate::suite::Case;

    use super::*;

    fn case(text: &str) -> CaseResult {
        let mut case = CaseResult::not_run(&Case::default(), text);
        case.id = text.to_owned();
        case.checks.unknown_ui = vec![text.to_owned(), text.to_owned()];
        case.metrics.synthesis.missing_sources = vec![text.to_owned()];
        case.metrics.synthesis.missing_numbers = vec![text.to_owned()];
        case
    }

    fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut page = Vec::new();
        write(&mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    /// The pulldown-cmark parser makes no links of bare addresses. Sites do, also of an address with an entity in it.
    #[test]
    fn no_part_of_a_result_is_an_address_for_a_site() {
        for text in ["a@b.example", "xmpp:a@b.c", "mailto:a@b.c", "@user", "x `a@b.c` y@z.example"] {
            let case = case(text);
            let page = written(|out| details(&[Arc::new(case)], out));
            let outside_of_code: String = page.split('`').step_by(2).collect();
            let bare = outside_of_code.replace("@<!-- -->", "");
            assert!(!bare.contains('@') && !bare.contains("&#64;"), "{page}");
            assert!(page.contains("@<!-- -->"), "{page}");
        }
    }

    /// The output of a Markdown parser for the table of a case whose texts are all `text`.
    fn check(text: &str) {
        let table = written(|out| table(&[Arc::new(case(text))], out));
        let events: Vec<_> = Parser::new_ext(&table, Options::all()).collect();
        let mut cells = 0;
        for event in &events {
            match event {
                Event::End(TagEnd::TableCell) => cells += 1,
                Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell) | Event::End(_) => {}
                Event::Text(_) => {}
                // It keeps sites from making links and mentions.
                Event::InlineHtml(html) if &**html == "<!-- -->" => {}
                other => panic!("{text:?} became {other:?} in {table}"),
            }
        }
        assert_eq!(cells, 14, "{text:?} in {table}");
        let mut page = String::new();
        html::push_html(&mut page, events.into_iter());
        assert!(!page.contains("<a ") && !page.contains("<img") && !page.contains("<script"), "{page}");
    }

    #[test]
    fn hostile_text_stays_text() {
        for text in [
            "a | b",
            "a \\| b",
            "\\",
            "`code`",
            "``",
            "[x](http://evil)",
            "![x](http://evil)",
            "<img src=x onerror=alert(1)>",
            "<http://evil>",
            "http://evil www.evil.com me@evil.com",
            "&lt;b&gt;",
            "**b** _i_ ~~s~~",
            "a\nb\r\nc",
            "# h",
            "- [ ] task",
            "\u{1b}[31m",
            "\u{202e}",
            "[^1]",
            "$x$",
            ":emoji:",
            "\u{0}",
            "a\u{2028}b",
            "~~~",
            "---",
            "",
            "#tag #1 GH-1 @user",
        ] {
            check(text);
        }
    }

    #[test]
    fn a_failed_check_has_its_message_and_evidence() {
        use crate::checks::{CheckOutcome, Evidence, EvidencePlace};
        use crate::text::LineColumn;
        use crate::verdict::CheckResult;
        let place = EvidencePlace::Response(LineColumn { line: 4, column: 2 });
        let check = CheckResult {
            id: "must_not_say:sorry".to_owned(),
            outcome: CheckOutcome::Failed,
            message: "`sorry` is said on line 4".to_owned(),
            evidence: vec![Evidence { place, text: "Sorry".to_owned(), in_prompt: false }],
            ..CheckResult::default()
        };
        let case = CaseResult { status: Status::Fail, reason: None, check_details: vec![check], ..case("A") };
        let page = written(|out| details(&[Arc::new(case)], out));
        let expected =
            "\n### A · FAIL\n\n- ✗ `must_not_say`: `sorry` is said on line 4\n  - line 4, column 2: `Sorry`\n";
        assert_eq!(page, expected);
    }

    #[test]
    fn links_to_screenshots_are_relative_to_the_result() {
        for (folder, file, expected) in [
            ("/w/results", "/w/transcripts/s/A1.png", "../transcripts/s/A1.png"),
            ("/w/results", "/w/transcripts/s/A%2F1 (ö)>.png", "../transcripts/s/A%252F1%20%28%C3%B6%29%3E.png"),
            ("results", "transcripts/A1.png", "../transcripts/A1.png"),
            ("/w", "/w/A1.png", "A1.png"),
        ] {
            assert_eq!(link(Some(Path::new(folder)), Path::new(file)), expected);
        }
    }

    proptest! {
        #[test]
        fn any_text_stays_text(text in "\\PC{0,40}", soup in "[\\\\`|<>\\[\\]()!*_~#&:;@/. \\n\\t-]{0,30}") {
            check(&text);
            check(&soup);
        }
    }
}
