//! What the schema says about a key of `eval-ls.toml`.

use serde_json::Value;

use crate::config::toml_value;
use crate::lints::lint;
use crate::schema::Shape;
use crate::syntax::Step;
use crate::wording::{Line, Markup};

/// The page about the value at a path; empty if nothing is known about it. An entry of a list has the page of the list.
pub(super) fn page(path: &[Step]) -> Markup {
    let page = own_page(path);
    match path {
        [list @ .., Step::Index(_)] if page.is_empty() => self::page(list),
        _ => page,
    }
}

fn own_page(path: &[Step]) -> Markup {
    let mut page = Markup::default();
    if let [Step::Key(section), Step::Key(name)] = path
        && section == "lints"
        && let Some(lint) = lint(name)
    {
        page.paragraph(Line::new(lint.summary()));
        page.markdown_text(lint.reasons());
    }
    let Some(shape) = Shape::configuration().descend(path) else { return page };
    if let Some(markdown) = shape.markdown().filter(|_| page.is_empty()) {
        page.markdown_text(markdown);
    }
    for (value, meaning) in shape.values() {
        let line = Line::default().code(value);
        page.item(
            0,
            match meaning {
                Some(meaning) => line.say(": ").say(meaning),
                None => line,
            },
        );
    }
    if let Some(default) = shape.default() {
        page.paragraph(Line::new("Default: ").code(&toml_value(default)).say("."));
    }
    if let Some(example) = shape.examples().find(|example| !is_table(example)) {
        page.paragraph(Line::new("Example: ").code(&toml_value(example)).say("."));
    }
    page
}

/// Whether a value is written as a table with a header. An example on one line would be hard to read.
fn is_table(value: &Value) -> bool {
    value.is_object() || value.as_array().is_some_and(|elements| elements.iter().any(Value::is_object))
}
