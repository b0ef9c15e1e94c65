use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Event;

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
    use super::*;

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
