use regex_syntax::hir::{Class, Hir, HirKind};

use crate::suite::{Case, ExpectationKind as Kind, Outcome, expectations};
use crate::transcript::Event;

use super::telemetry;

/// `echo`, then everything that the case forbids: phrases, a text for each forbidden pattern, calls of forbidden tools,
/// and a success if the outcome rules one out. `None` if the case forbids nothing.
///
/// A pattern that `regex-syntax` cannot read (look-around, back-references) has no text here.
pub(super) fn answer(case: &Case, echo: &str) -> Option<(String, Vec<Event>)> {
    let mut lines = Vec::new();
    let mut events = Vec::new();
    for expectation in expectations(case) {
        match expectation.kind {
            Kind::MustNotSay { phrase } => lines.push(phrase.to_owned()),
            Kind::MustNotMatchRegex { pattern } => lines.extend(sample(pattern)),
            Kind::ToolCallsNone { tool } => events.push(telemetry::start(tool)),
            Kind::Outcome { outcome: Outcome::NeedsInput, tools } => {
                events.extend(tools.into_iter().map(telemetry::success));
            }
            Kind::Outcome { outcome: Outcome::GracefulBlock, .. } => events.push(telemetry::success("any")),
            Kind::Outcome {
                outcome: Outcome::ToolSuccess | Outcome::ToolStarted | Outcome::GracefulError | Outcome::ResponseOnly,
                ..
            }
            | Kind::UnknownOutcome { .. }
            | Kind::ToolCallsAny { .. }
            | Kind::MustSayAny { .. }
            | Kind::Telemetry { .. }
            | Kind::Ui { .. }
            | Kind::RequiredSource { .. }
            | Kind::Number { .. }
            | Kind::LabelAssumptions { .. }
            | Kind::MustMatchRegex { .. }
            | Kind::RequiredLevers { .. }
            | Kind::ClaimEvidenceAlignment { .. }
            | Kind::EvidenceFreshness { .. }
            | Kind::OverrideAction { .. } => {}
        }
    }
    if lines.is_empty() && events.is_empty() {
        return None;
    }
    Some((echo.to_owned() + &lines.join("\n") + "\n", events))
}

/// A short line that the pattern most likely matches. The verdict decides whether it does.
fn sample(pattern: &str) -> Option<String> {
    let hir = regex_syntax::ParserBuilder::new().utf8(true).build().parse(pattern).ok()?;
    let mut line = String::new();
    write(&hir, &mut line);
    Some(line).filter(|line| !line.contains('\n'))
}

/// How many repetitions are written at most; a pattern that needs more has no short text.
const REPETITIONS: u32 = 200;
/// How long a text becomes at most, in bytes. A pattern can ask for any length, and nobody reads more.
const LONGEST: usize = 4096;

fn write(hir: &Hir, line: &mut String) {
    if line.len() > LONGEST {
        return;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => line.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => line.extend(member(class)),
        HirKind::Repetition(repetition) => {
            let least = if repetition.max == Some(0) { 0 } else { repetition.min.clamp(1, REPETITIONS) };
            (0..least).for_each(|_| write(&repetition.sub, line));
        }
        HirKind::Capture(capture) => write(&capture.sub, line),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, line)),
        HirKind::Alternation(parts) => parts.first().into_iter().for_each(|part| write(part, line)),
    }
}

/// A letter or digit of the class if it has one, else its first printable character.
fn member(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else {
        return None;
    };
    let holds = |c: char| class.ranges().iter().any(|range| range.start() <= c && c <= range.end());
    let common = ('a'..='z').chain('0'..='9').chain('A'..='Z').chain(' '..='~').find(|c| holds(*c));
    common.or_else(|| class.ranges().iter().map(|range| range.start()).find(|c| !c.is_control()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_match_their_patterns() {
        for (pattern, text) in [
            ("Halluci(nated|nation)Source", "HallucinatedSource"),
            (r"GitHub:\s*[0-9]{2,}", "GitHub: 00"),
            (r"(?i)as an ai\b", "as an ai"),
            ("^a?$", "a"),
        ] {
            assert_eq!(sample(pattern).as_deref(), Some(text), "{pattern}");
        }
        assert_eq!(sample(r"(?<=a)b"), None);
    }
}
