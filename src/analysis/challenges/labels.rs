use crate::challenge::{CaseChallenges, CheckChallenges};
use crate::config::ChallengeConfig;
use crate::wording::{cut, plain};

/// The longest label, in code points. A label is beside code.
const LONGEST: usize = 60;

/// The note after a case's id: the challenges that it passes although it ought to fail them; `None` if it passes none.
pub(in crate::analysis) fn case_label(id: &str, judged: &CaseChallenges, config: &ChallengeConfig) -> Option<String> {
    let mut passed = judged.breaches(id, config);
    let first = passed.next()?;
    let label = match passed.count() {
        0 => format!("passes the challenge {}", plain(&first.challenge.to_string())),
        more => format!("passes {} challenges", more + 1),
    };
    Some(cut(&label, LONGEST))
}

/// The note after a check that is worth little; `None` if it notices a challenge, passes every rewrite and differs from the control, or can never
/// fail.
pub(in crate::analysis) fn check_label(check: &CheckChallenges) -> Option<&'static str> {
    match () {
        () if !check.can_fail => None,
        () if check.met_by_prompt => Some("passes on the prompt alone"),
        () if check.is_idle() => Some("passes on all wrong answers"),
        () if !check.brittle.is_empty() => Some("fails if the answer is written differently"),
        () if check.is_same_as_control() => Some("passes the control as often"),
        () => None,
    }
}
