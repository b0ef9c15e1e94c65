//! The text of a suite that is imported.

use serde_json::Value;

/// The widest line of a list on one line, in code points: as the formatter of suites.
const WIDTH: usize = 120;

/// The suite as a person writes it: lists of texts on one line if they fit, everything else on separate lines.
pub(crate) fn suite_text(suite: &Value) -> String {
    let mut text = String::new();
    write(suite, 0, 0, &mut text);
    text.push('\n');
    text
}

/// `before` is the number of code points in front of the value on its line.
fn write(value: &Value, depth: usize, before: usize, text: &mut String) {
    let is_flat = match value {
        Value::Array(list) => list.iter().all(|element| !element.is_array() && !element.is_object()),
        Value::Object(object) => depth > 3 && object.values().all(|member| !member.is_array() && !member.is_object()),
        _ => true,
    };
    let flat = if is_flat { compact(value) } else { String::new() };
    let is_empty = matches!(value, Value::Array(list) if list.is_empty())
        || matches!(value, Value::Object(object) if object.is_empty());
    let is_compact = is_empty || (is_flat && before + flat.chars().count() < WIDTH);
    let members: Vec<(String, &Value)> = match value {
        Value::Array(list) if !is_compact => list.iter().map(|element| (String::new(), element)).collect(),
        Value::Object(object) if !is_compact => {
            object.iter().map(|(key, member)| (format!("{}: ", Value::from(key.as_str())), member)).collect()
        }
        value => return text.push_str(&compact(value)),
    };
    let [open, close] = if value.is_array() { ['[', ']'] } else { ['{', '}'] };
    let indent = "  ".repeat(depth + 1);
    text.push(open);
    for (index, (key, member)) in members.into_iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&indent);
        text.push_str(&key);
        write(member, depth + 1, indent.len() + key.chars().count(), text);
    }
    text.push('\n');
    text.push_str(&indent[2..]);
    text.push(close);
}

fn compact(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(compact).collect::<Vec<_>>().join(", ")),
        Value::Object(object) if object.is_empty() => "{}".to_owned(),
        Value::Object(object) => {
            let members =
                object.iter().map(|(key, member)| format!("{}: {}", Value::from(key.as_str()), compact(member)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        scalar => scalar.to_string(),
    }
}
