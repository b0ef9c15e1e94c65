use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::lints::facts::tools::is_plain_name;
use crate::suite::TelemetryEntry;

/// An entry that is probably a misspelt shorthand.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NearMiss {
    /// The possible intended shorthands, the likeliest first. Each is a list of entries with the meaning of the whole
    /// entry.
    pub(super) rewrites: Vec<Vec<String>>,
    /// The reason why no shorthand has this meaning.
    pub(super) reason: Option<&'static str>,
}

const TOOL_NAME: &str = "in a shorthand, the name of a tool consists of letters, digits and `_`";
const FIELD_NAME: &str = "in a shorthand, the name of a field consists of letters, digits and `_`";
const SUCCESS: &str = "missing fields require `success:false`";

/// Longer entries are not shorthands.
const LONGEST: usize = 300;

/// Returns the intended shorthand if `entry` is not a shorthand but resembles one. `is_tool` knows some tools.
pub(super) fn near_miss(entry: &str, is_tool: impl Fn(&str) -> bool) -> Option<NearMiss> {
    let is_literal = matches!(TelemetryEntry::parse(entry), TelemetryEntry::Literal(_));
    if !is_literal || entry.len() > LONGEST {
        return None;
    }
    let text = without_wrapping(entry);
    if let Some(parts) = MISSING_FIELDS.captures(text) {
        return missing_fields(&parts);
    }
    let spaced = COLON.captures(text).map(|parts| format!("{} {}", &parts["tool"], &parts["rest"]));
    tool(&TOOL.captures(spaced.as_deref().unwrap_or(text))?, is_tool)
}

/// A colon between the tool and the rest, as some logs write it.
static COLON: LazyLock<Regex> = LazyLock::new(|| compile(r"^(?<tool>tools?\.[^\s:]+):(?<rest>start|results?\b.*)$"));

/// An entry about a tool: `tool.<name> start`, `tool.<name> result success:true`, and similar text. The text between
/// `success` and its value is free, except that JSON's `"success":true` does not match, because people search for it
/// deliberately.
static TOOL: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r#"^(?<prefix>tools?(?:\s*[.:/]\s*|\s+))?(?<name>\S+)\s+(?:
            (?<start>start(?:s|ed)?)
            | (?<result>results?)(?:\s*[:,]?\s*(?:with\s+)?(?<success>success)?(?:\s*[:=]?\s*["']?(?<value>true|false)["']?)?)?
            | results?\s*[:,]?\s*(?:is\s+|with\s+)?(?:(?<bad>fail(?:s|ed|ure)?|errors?|unsuccessful)|(?<good>succeeded|successful|ok))
            | success\s*[:=]?\s*(?<bare>true|false)
        )$"#,
    )
});

fn tool(parts: &Captures<'_>, is_tool: impl Fn(&str) -> bool) -> Option<NearMiss> {
    let name = without_brackets(&parts["name"]);
    // `tool call started` is English, and `session start` is a separate event. So an entry without the point of
    // `tool.`, or something similar, is a shorthand only if it has the name of a tool.
    let is_marked = parts.name("prefix").is_some_and(|prefix| prefix.as_str().ends_with(['.', ':', '/']));
    if name.is_empty() || !(is_marked || is_tool(name)) {
        return None;
    }
    let underscored = name.replace('-', "_");
    let name = match is_plain_name(name) {
        true => name,
        false if is_plain_name(&underscored) && is_tool(&underscored) => &underscored,
        false => return Some(NearMiss { rewrites: Vec::new(), reason: Some(TOOL_NAME) }),
    };
    let result = |success: &str| vec![format!("tool.{name} result success:{success}")];
    let value = parts.name("value").or(parts.name("bare")).map(|value| value.as_str().to_ascii_lowercase());
    let rewrites = match value {
        _ if parts.name("start").is_some() => vec![vec![format!("tool.{name} start")]],
        _ if parts.name("bad").is_some() => vec![result("false")],
        _ if parts.name("good").is_some() => vec![result("true")],
        Some(value) => vec![result(&value)],
        None if parts.name("success").is_some() => vec![result("true")],
        None => vec![result("true"), result("false")],
    };
    Some(NearMiss { rewrites, reason: None })
}

/// An entry about missing fields, optionally after the result of a tool.
static MISSING_FIELDS: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r#"^(?:tools?[.:/](?<tool>\S+)\s+(?:results?\s*[:,]?\s+)?)?
            (?:success\s*[:=]?\s*["']?(?<value>true|false)["']?\s*[,;]?\s*(?:(?:with|and)\s+)?)?
            missing(?<separator>[\s_-]?)fields?
            (?:\s+(?<verb>contain(?:s|ing)?|includ(?:es|ing))\b\s*:?|\s*[:=]|\s)\s*(?<fields>.+)$"#,
    )
});

fn missing_fields(parts: &Captures<'_>) -> Option<NearMiss> {
    let value = parts.name("value").map(|value| value.as_str().to_ascii_lowercase());
    // Without `success:false`, the other words must be close to the shorthand: a log may well contain "missing fields:
    // …".
    if value.is_none() && (parts.name("verb").is_none() || !matches!(&parts["separator"], "" | "_")) {
        return None;
    }
    let refused = |reason| Some(NearMiss { rewrites: Vec::new(), reason: Some(reason) });
    if value.as_deref() == Some("true") {
        return refused(SUCCESS);
    }
    let mut entries = Vec::new();
    if let Some(tool) = parts.name("tool") {
        let tool = without_brackets(tool.as_str());
        if !is_plain_name(tool) {
            return refused(TOOL_NAME);
        }
        entries.push(format!("tool.{tool} result success:false"));
    }
    let fields = without_brackets(&parts["fields"]);
    let fields: Vec<_> = BETWEEN_FIELDS.split(fields).map(without_brackets).filter(|field| !field.is_empty()).collect();
    if fields.is_empty() || !fields.iter().all(|field| is_plain_name(field)) {
        return refused(FIELD_NAME);
    }
    entries.extend(fields.iter().map(|field| format!("success:false with missingFields containing {field}")));
    Some(NearMiss { rewrites: vec![entries], reason: None })
}

static BETWEEN_FIELDS: LazyLock<Regex> = LazyLock::new(|| compile(r"\s*[,&]\s*|\s+and\s+"));

fn compile(pattern: &str) -> Regex {
    Regex::new(&format!("(?ix){pattern}")).expect("the program's own pattern compiles")
}

/// `text` without the white space, quotes and punctuation around it. Double quotes stay, because they suggest JSON.
fn without_wrapping(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '`' || c == '\'').trim_end_matches(['.', ',', ';', '!', ' '])
}

/// `text` without the quotes and brackets around it, and without the punctuation after it.
fn without_brackets(text: &str) -> &str {
    text.trim_end_matches([':', ',']).trim_matches(|c: char| "\"'`<>()[]{}".contains(c) || c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_tool(name: &str) -> bool {
        ["book", "find_slot"].contains(&name)
    }

    /// The suggestions for an entry, in one line.
    fn meant(entry: &str) -> Option<String> {
        let near = near_miss(entry, is_tool)?;
        for rewritten in near.rewrites.iter().flatten() {
            assert!(!matches!(TelemetryEntry::parse(rewritten), TelemetryEntry::Literal(_)), "{rewritten}");
        }
        let rewrites = near.rewrites.iter().map(|entries| entries.join(" + ")).collect::<Vec<_>>().join(" | ");
        Some(near.reason.map_or(rewrites, str::to_owned))
    }

    #[test]
    fn starts_of_tools_are_recognised() {
        for entry in [
            " tool.repair start",
            "tool.repair start ",
            "tool.repair start.",
            "`tool.repair start`",
            "Tool.repair START",
            "tools.repair start",
            "tool:repair start",
            "tool/repair start",
            "tool .repair start",
            "tool.repair started",
            "tool.repair starts",
            "tool.repair: start",
            "tool.\"repair\" start",
            "tool.<repair> start",
            "tool.repair() start",
            "tool.repair:start",
        ] {
            assert_eq!(meant(entry).as_deref(), Some("tool.repair start"), "{entry}");
        }
        assert_eq!(meant("book start").as_deref(), Some("tool.book start"));
        assert_eq!(meant("tool book start").as_deref(), Some("tool.book start"));
        assert_eq!(meant("tool: book start").as_deref(), Some("tool.book start"));
        assert_eq!(meant("tool.find-slot start").as_deref(), Some("tool.find_slot start"));
    }

    #[test]
    fn results_of_tools_are_recognised() {
        for entry in [
            "tool.repair result success: true",
            "tool.repair result success :true",
            "tool.repair result success = true",
            "tool.repair result success=true",
            "tool.repair result success true",
            "tool.repair result success:True",
            "tool.repair result success:\"true\"",
            "tool.repair result: success:true",
            "tool.repair result, success:true",
            "tool.repair result with success:true",
            "tool.repair results success:true",
            "tool.repair result:true",
            "tool.repair result success",
            "tool.repair success:true",
            "Tool:repair result success:true;",
            "tool.repair result succeeded",
            "tool.repair:result success:true",
        ] {
            assert_eq!(meant(entry).as_deref(), Some("tool.repair result success:true"), "{entry}");
        }
        for entry in [
            "tool.repair result success=False",
            "tool.repair result failure",
            "tool.repair result: failed",
            "tool.repair result error",
        ] {
            assert_eq!(meant(entry).as_deref(), Some("tool.repair result success:false"), "{entry}");
        }
        assert_eq!(meant("book result success:true").as_deref(), Some("tool.book result success:true"));
        assert_eq!(
            meant("tool.repair result").as_deref(),
            Some("tool.repair result success:true | tool.repair result success:false")
        );
    }

    #[test]
    fn missing_fields() {
        for entry in [
            "success: false with missingFields containing day",
            "success=false with missingFields containing day",
            "Success:false with missingFields containing day",
            "success:false with missing_fields containing day",
            "success:false with missing fields containing day",
            "success:false with missingField containing day",
            "success:false with missingFields contains day",
            "success:false with missingFields including day",
            "success:false with missingFields day",
            "success:false with missingFields: day",
            "success:false missingFields containing day",
            "success:false, missingFields containing: day",
            "success:false and missingFields containing \"day\"",
            "success:false with missingFields containing ['day'].",
            "missingFields containing day",
            "missing_fields contains day",
        ] {
            assert_eq!(meant(entry).as_deref(), Some("success:false with missingFields containing day"), "{entry}");
        }
        for (entry, rewritten) in [
            (
                "success:false with missingFields containing day, bike and time",
                "success:false with missingFields containing day + success:false with missingFields containing bike + success:false with missingFields containing time",
            ),
            (
                "tool.book result success:false with missingFields containing day",
                "tool.book result success:false + success:false with missingFields containing day",
            ),
        ] {
            assert_eq!(meant(entry).as_deref(), Some(rewritten), "{entry}");
        }
    }

    #[test]
    fn names_outside_of_the_shorthands_have_a_reason() {
        for (entry, reason) in [
            ("tool.repair-wheel start", TOOL_NAME),
            ("tool.shop.repair start", TOOL_NAME),
            ("tool.größe result success:true", TOOL_NAME),
            ("tool.shop.repair result success:false with missingFields containing day", TOOL_NAME),
            ("success:false with missingFields containing customer.name", FIELD_NAME),
            ("success:false with missingFields containing the day", FIELD_NAME),
            ("success:false with missingFields containing []", FIELD_NAME),
            ("success:true with missingFields containing day", SUCCESS),
        ] {
            assert_eq!(meant(entry).as_deref(), Some(reason), "{entry}");
        }
    }

    #[test]
    fn literal_texts_are_not_near_misses() {
        let long = format!("tool.{} start ", "x".repeat(LONGEST));
        for entry in [
            // These are shorthands.
            "tool.repair start",
            "tool.repair  result\tsuccess:true",
            "success:false with missingFields containing day",
            // These are parts of events.
            "book",
            "tool.book",
            "\"tool.book\"",
            "tool.book.start",
            "tool.book:started",
            "\"source\":\"tool.book\"",
            "\"source\":\"tool.book\",\"event\":\"start\"",
            "\"success\":true",
            "\"success\": false",
            "success:true",
            "result success:true",
            "\"event\":\"start\"",
            "start",
            "result",
            "missingFields",
            "missing_fields",
            "\"missingFields\":[\"day\"]",
            "success\":false,\"missingFields\":[\"day\"]",
            "missingFields: day",
            "missing fields: day",
            "missing fields including the day",
            "\"tool.book start\"",
            // These are lines of a log.
            "session start",
            "server started",
            "tool call started",
            "tool: server started",
            "Tool call start",
            "tool result success:true",
            "tool call result: success",
            "got result success:true",
            "tool.book start failed: no such slot",
            "tool.book called",
            "tool.book failed",
            "the tool.book start is late",
            "http status 200",
            "ünï\u{202e}code \u{0} start",
            "",
            " ",
            "tool",
            "tool.",
            "tool. start",
            &long,
        ] {
            assert_eq!(meant(entry), None, "{entry}");
        }
    }
}
