use crate::events::{Estimate, RepeatSummary};
use crate::text::counted;
use crate::verdict::CaseResult;

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
