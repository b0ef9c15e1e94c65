use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::verdict::{CaseResult, Status, plain_number};

use super::{Event, RepeatSummary};

/// The number of cases by status.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunSummary {
    /// The number of `PASS`.
    pub(crate) pass: usize,
    /// The number of `FAIL`.
    pub(crate) fail: usize,
    /// The number of `PARTIAL`.
    pub(crate) partial: usize,
    /// The number of `ERROR`.
    pub(crate) error: usize,
    /// The number of cases.
    pub(crate) total: usize,
    /// The mean soft score of the judged cases, to six decimals; `None` if no case was judged.
    #[serde(serialize_with = "plain_number")]
    pub(crate) avg_soft_score: Option<f64>,
    /// The cases that ran several times, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repeats: Option<RepeatSummary>,
}

impl RunSummary {
    /// The counts of these cases.
    pub(crate) fn of<'a>(cases: impl IntoIterator<Item = &'a CaseResult, IntoIter: Clone>) -> RunSummary {
        let cases = cases.into_iter();
        let mut summary = RunSummary::default();
        let (mut sum, mut judged) = (0.0, 0_u32);
        for case in cases.clone() {
            summary.total += 1;
            match case.status {
                Status::Pass => summary.pass += 1,
                Status::Fail => summary.fail += 1,
                Status::Partial => summary.partial += 1,
                Status::Error => summary.error += 1,
            }
            if let Some(score) = case.metrics.scoring.soft_score.value.filter(|_| case.status != Status::Error) {
                sum += score;
                judged += 1;
            }
        }
        if judged > 0 {
            summary.avg_soft_score = Some((sum / f64::from(judged) * 1e6).round() / 1e6);
        }
        summary.repeats = RepeatSummary::of(cases);
        summary
    }

    /// The counts that are not 0, as words: `3 passed`, `1 failed`, `1 partial`, `2 errors`.
    pub(crate) fn words(&self) -> impl Iterator<Item = (Status, String)> {
        let errors = if self.error == 1 { "error" } else { "errors" };
        let counts = [
            (Status::Pass, self.pass, "passed"),
            (Status::Fail, self.fail, "failed"),
            (Status::Partial, self.partial, "partial"),
            (Status::Error, self.error, errors),
        ];
        counts
            .into_iter()
            .filter(|(_, count, _)| *count > 0)
            .map(|(status, count, word)| (status, format!("{count} {word}")))
    }

    /// The counts in one line; `no cases` if there are none.
    pub(crate) fn line(&self) -> String {
        let words: Vec<String> = self.words().map(|(_, words)| words).collect();
        if words.is_empty() { "no cases".to_owned() } else { words.join(", ") }
    }
}

/// The mean soft score of the cases that ask for one, to six decimals; `None` if none does.
pub(crate) fn average_score<'a>(cases: impl IntoIterator<Item = &'a CaseResult>) -> Option<f64> {
    let scores: Vec<f64> = cases.into_iter().filter_map(|case| case.metrics.scoring.soft_score.shown()).collect();
    let sum: f64 = scores.iter().sum();
    (!scores.is_empty()).then(|| (sum / scores.len() as f64 * 1e6).round() / 1e6)
}

/// A transcript file within an event, on one line. As JSON it is the object that the text is, with its numbers as they are written.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct AnswerText(String);

impl AnswerText {
    /// Of a JSON object on one line, as an event is.
    pub(crate) fn new(text: String) -> AnswerText {
        AnswerText(text)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Event {
    /// Reads a line of a run's output.
    ///
    /// # Errors
    /// If it is not an event.
    pub(crate) fn from_line(line: &[u8]) -> serde_json::Result<Event> {
        // An event is read by way of values, which do not have the numbers as they are written. So the answer is read apart.
        let mut members: BTreeMap<String, &RawValue> = serde_json::from_slice(line)?;
        let answer = members.remove("answer");
        let mut event = serde_json::from_slice(&serde_json::to_vec(&members)?)?;
        if let Event::CaseFinished(finished) = &mut event {
            finished.answer = answer.map(|answer| AnswerText(answer.get().to_owned()));
        }
        Ok(event)
    }
}

impl fmt::Debug for AnswerText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for AnswerText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<&RawValue>(&self.0).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnswerText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnswerText, D::Error> {
        Value::deserialize(deserializer).map(|value| AnswerText(value.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::suite::Case;

    use super::*;

    fn case(status: Status, score: Option<f64>) -> CaseResult {
        let mut case = CaseResult::not_run(&Case::default(), "");
        case.status = status;
        case.metrics.scoring.soft_score.value = score;
        case
    }

    #[test]
    fn cases_are_counted_and_errors_not_scored() {
        let cases = [
            case(Status::Pass, Some(1.0)),
            case(Status::Pass, Some(0.5)),
            case(Status::Fail, Some(0.0)),
            case(Status::Partial, Some(1.0)),
            case(Status::Error, Some(1.0)),
            case(Status::Error, None),
        ];
        let summary = json!({"pass": 2, "fail": 1, "partial": 1, "error": 2, "total": 6, "avg_soft_score": 0.625});
        assert_eq!(serde_json::to_value(RunSummary::of(&cases)).unwrap(), summary);
        assert_eq!(serde_json::to_value(RunSummary::of(&cases[..1])).unwrap()["avg_soft_score"], json!(1));
        assert_eq!(RunSummary::of(&cases[4..]).avg_soft_score, None);
    }

    #[test]
    fn numbers_of_an_answer_stay_as_they_are_written() {
        let answer = r#"{"response":"r","telemetry":[{"price":10.50,"far":1e400}]}"#;
        let line = format!(
            r#"{{"event":"case-finished","suite":"s","case":"A","index":0,"range":{{"start":{{"line":1,"column":1}},"end":{{"line":1,"column":2}}}},"status":"PASS","duration_ms":1,"answer":{answer},"result":{{"id":"A","prompt":"p","status":"PASS"}}}}"#
        );
        let event = Event::from_line(line.as_bytes()).unwrap();
        let Event::CaseFinished(finished) = &event else { panic!("{event:?}") };
        assert_eq!(finished.answer.as_ref().unwrap().as_str(), answer);
        assert!(serde_json::to_string(&event).unwrap().contains(answer));
    }
}
