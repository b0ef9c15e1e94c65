use crate::diagnostic::quoted;
use crate::history::{CaseHistory, History, Share};
use crate::text::{counted, visible};

/// The histories of cases for a terminal: a line for each case, suite by suite. With `in_detail`, also a line for each run,
/// the last run first. With `statistics`, also the interval of each rate.
pub(crate) fn history_text(history: &History, in_detail: bool, statistics: bool) -> String {
    let mut text = String::new();
    let day = |time: &Option<String>| time.as_deref().and_then(|time| time.get(..10)).unwrap_or_default().to_owned();
    let mut line = |line: &str| {
        text.extend(line.trim_end().chars().map(visible));
        text.push('\n');
    };
    let (runs, target) = (counted(history.runs, "run"), quoted(&history.target));
    line(&format!("{runs} of the target {target}, {} to {}", day(&history.first), day(&history.last)));
    line(
        "A bar is a run: as high as the share of its attempts that passed, · if none was judged, after | the case was edited.",
    );
    let width = |of: fn(&CaseHistory) -> String| history.cases.iter().map(|case| of(case).chars().count()).max();
    let (ids, bars) = (width(|case| case.case.clone()).unwrap_or(0), width(sparkline).unwrap_or(0));
    let mut suite = None;
    for case in &history.cases {
        if suite != Some(&case.suite) {
            line("");
            line(&format!("{}{}", case.suite, if case.gone { " (gone)" } else { "" }));
            suite = Some(&case.suite);
        }
        line(&format!("  {:ids$}  {:bars$}  {}", case.case, sparkline(case), words(case, statistics)));
        for point in case.points.iter().rev().filter(|_| in_detail) {
            let edited =
                if point.edits.is_empty() { String::new() } else { format!("  edited: {}", point.edits.join(", ")) };
            let attempts = if point.judged > 1 {
                format!(" ({} of {} passed)", point.passed, point.judged)
            } else {
                String::new()
            };
            let reason = point.reason.as_deref().and_then(|reason| reason.lines().next()).unwrap_or_default();
            let why = if point.failed.is_empty() { reason.to_owned() } else { point.failed.join(", ") };
            line(&format!("    {}  {:7}{attempts}  {why}{edited}", point.run, point.word()));
        }
    }
    text
}

/// A bar for each run; `|` stands before the first run after an edit.
fn sparkline(case: &CaseHistory) -> String {
    let mut line = String::new();
    for point in &case.points {
        if !point.edits.is_empty() {
            line.push('|');
        }
        line.push(point.bar());
    }
    line
}

/// The status and since when, the rate, and the flips.
fn words(case: &CaseHistory, statistics: bool) -> String {
    let status = case.points.last().map(crate::history::Point::word).unwrap_or_default();
    let since = &case.since;
    let since = match since.runs {
        _ if case.gone => format!("last {status} ({})", case.points.last().map_or(&since.run, |point| &point.run)),
        1 => format!("{status} in the last run ({})", since.run),
        runs => format!("{status} for {runs} runs (since {})", since.run),
    };
    let rate = case.rate.as_ref().map_or_else(|| "never judged".to_owned(), |share| rate(share, statistics));
    let flips = if case.flips == 0 { String::new() } else { format!(", {}", counted(case.flips, "flip")) };
    format!("{since}; {rate}{flips}")
}

fn rate(rate: &Share, statistics: bool) -> String {
    let percent = |share: f64| (share * 100.0).round();
    let share = percent(rate.passed as f64 / rate.attempts as f64);
    if !statistics {
        return format!("passed {} of {}", rate.passed, rate.attempts);
    }
    let (low, high) = (percent(rate.interval.low), percent(rate.interval.high));
    format!("passed {} of {} ({share} %, {low} to {high} %)", rate.passed, rate.attempts)
}
