use serde_json::{Map, Value, json};

use crate::syntax::{parse, separator_before};
use crate::text::Span;

use super::model::AsWritten;
use super::pages::SameLines;
use super::{Event, FORMAT, Forms, LastRecord, Pages, Transcript};

impl Transcript {
    /// As the text of a file: indented JSON with a line break at its end.
    pub fn to_json(&self) -> String {
        self.written(self.to_object(), &|_| true)
    }

    /// The same on one line, without a line break.
    pub(crate) fn to_json_line(&self) -> String {
        let file = AsWritten { file: &self.to_object(), telemetry: &self.telemetry, may_show: &|_| true };
        serde_json::to_string(&file).expect("JSON values serialize")
    }

    /// The text of a file that has this object, with the numbers of the telemetry as they were written where `may_show` allows it.
    pub(crate) fn written(&self, file: Map<String, Value>, may_show: &dyn Fn(&str) -> bool) -> String {
        let file = AsWritten { file: &file, telemetry: &self.telemetry, may_show };
        let mut text = serde_json::to_string_pretty(&file).expect("JSON values serialize");
        text.push('\n');
        text
    }

    /// As the JSON object that a file of it has, without the spelling of the numbers in its telemetry.
    pub(crate) fn to_object(&self) -> Map<String, Value> {
        let mut file = Map::new();
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                file.insert(key.to_owned(), value);
            }
        };
        put("format", Some(FORMAT.into()));
        put("case", Some(self.case.as_str().into()));
        put("target", self.target.as_deref().map(Value::from));
        put("program", self.program.as_deref().map(Value::from));
        put("recorded_at", self.recorded_at.as_deref().map(Value::from));
        put("prompt", self.prompt.as_deref().map(Value::from));
        put("setup_prompts", self.setup_prompts.clone().map(Value::from));
        put("duration_ms", self.duration_ms.map(Value::from));
        if let Some(pages) = &self.pages {
            put("response_from", Some(response_from(pages)));
        }
        put("response", Some(self.response.as_str().into()));
        if let Some(pages) = &self.pages {
            // The response is in the file once.
            let mut others = Pages::clone(pages);
            *others.place_mut() = None;
            put("page", Some(page(&others, pages)));
            put(
                "part",
                others.part.as_ref().map(|part| {
                    let mut fields = object([("selector", Some(part.selector.as_str().into()))]);
                    fields.extend(object([
                        ("after", after(&part.after)),
                        ("reply", part.reply.as_deref().map(Value::from)),
                    ]));
                    Value::Object(fields)
                }),
            );
        }
        put("telemetry", Some(self.telemetry.iter().map(Event::to_value).collect()));
        put("last_record", self.last_record.as_ref().map(|last| last.to_value()));
        file
    }
}

impl LastRecord {
    fn to_value(&self) -> Value {
        json!({ "at": self.at, "target": self.target, "status": self.status })
    }

    /// The text of a transcript's file with this recording as its last one. A text that is not an object stays as it is.
    pub(super) fn written_into(&self, text: &str) -> String {
        let parsed = parse(text);
        let Some(root) = parsed.tree.root(text) else { return text.to_owned() };
        let value = self.to_value();
        let (span, with) = match (root.get("last_record"), root.children().last()) {
            (Some(known), _) => (known.span(), value.to_string()),
            (None, Some(last)) => {
                let separator = separator_before(text, last.span().start);
                (Span::empty(last.span().end), format!(",{separator}\"last_record\": {value}"))
            }
            (None, None) => return text.to_owned(),
        };
        format!("{}{with}{}", &text[..span.start], &text[span.end..])
    }
}

fn response_from(pages: &Pages) -> Value {
    let selector = pages.part.as_ref().filter(|_| pages.of_part).map(|part| part.selector.as_str().into());
    let playwright = pages.playwright.as_deref().map(Value::from);
    Value::Object(object([
        ("form", Some(pages.form.word().into())),
        ("selector", selector),
        ("playwright", playwright),
    ]))
}

/// The page, without the form that is the response; `all` has that one, too.
fn page(others: &Pages, all: &Pages) -> Value {
    let before = Forms::WORDS.into_iter().zip(others.before.all().into_iter().zip(all.after.all()));
    let before = before.map(|(word, (before, after))| {
        (word, before.as_deref().map(|before| same_lines(before, after.as_deref().unwrap_or_default())))
    });
    let before = object(before);
    let reply = others.reply.as_deref().map(Value::from);
    let before = (!before.is_empty()).then_some(Value::Object(before));
    Value::Object(object([("reply", reply), ("after", after(&others.after)), ("before", before)]))
}

fn after(forms: &Forms) -> Option<Value> {
    let forms = object(Forms::WORDS.into_iter().zip(forms.all().map(|form| form.as_deref().map(Value::from))));
    (!forms.is_empty()).then_some(Value::Object(forms))
}

fn same_lines(before: &str, after: &str) -> Value {
    match SameLines::of(before, after) {
        SameLines { same_start: 0, same_end: 0, .. } => before.into(),
        SameLines { same_start, changed: None, same_end } => json!({ "same_start": same_start, "same_end": same_end }),
        SameLines { same_start, changed: Some(changed), same_end } => {
            json!({ "same_start": same_start, "changed": changed, "same_end": same_end })
        }
    }
}

fn object<'a>(fields: impl IntoIterator<Item = (&'a str, Option<Value>)>) -> Map<String, Value> {
    fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}
