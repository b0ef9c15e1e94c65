use crate::diagnostic::quoted;
use crate::lints::facts::claims::phrases;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::List;
use crate::syntax::raw_span;
use crate::text::Span;

declare_lint! {
    /// A prompt or a phrase has a placeholder that nobody has filled in.
    ///
    /// Placeholders of templates, such as `{{name}}`, `${name}` and `<fill in>`, and the words `TODO` and `FIXME` are sent and looked for
    /// as they are written.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "prompt": "Book a slot for {{customer}}.", "expected": { "must_say_any": ["TODO"] } }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write the text. If the placeholder is meant, allow the finding with the reason, see `[[allow]]`.
    ///
    /// ```json
    /// { "prompt": "Book a slot for Ada.", "expected": { "must_say_any": ["booked"] } }
    /// ```
    pub(crate) UNFINISHED_TEXT = "unfinished-text", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let prompt = cx.case.prompt.iter().map(|prompt| (prompt.value.as_str(), prompt.span));
    let setup = cx.case.setup_prompts.iter().flat_map(List::entries);
    let phrases = phrases(&cx.case.expected);
    // An answer with a placeholder in it is a good thing to forbid.
    let phrases = phrases.into_iter().filter(|(key, _)| *key != "must_not_say").flat_map(|(_, list)| list.entries());
    let entries = setup.chain(phrases).map(|entry| (entry.value.as_str(), entry.span));
    for (text, span) in prompt.chain(entries) {
        let Some(placeholder) = placeholder(text) else { continue };
        let Some(literal) = cx.node_at(span).filter(|node| !node.is_broken()) else { continue };
        let place = raw_span(literal.text(), placeholder).shifted_by(span.start);
        report.add(place, format!("{} is a placeholder that nobody has filled in", quoted(&text[placeholder.range()])));
    }
}

/// The first placeholder.
fn placeholder(text: &str) -> Option<Span> {
    let has_bracket = memchr::memchr3(b'{', b'<', b'[', text.as_bytes()).is_some();
    // Most texts have neither a bracket nor a word in capital letters.
    if !has_bracket && !WORDS.iter().any(|word| text.contains(word)) {
        return None;
    }
    let between = |open: &str, close: &str, is_name: &dyn Fn(&str) -> bool| {
        text.match_indices(open).find_map(|(start, _)| {
            let inner = &text[start + open.len()..];
            let end = inner.find(close).filter(|end| is_name(&inner[..*end]))?;
            Some(Span::new(start, start + open.len() + end + close.len()))
        })
    };
    let is_name = |name: &str| {
        let name = name.trim();
        !name.is_empty() && name.len() <= LONGEST && name.chars().all(|c| c.is_alphanumeric() || "_.- ".contains(c))
    };
    let asks = |name: &str| {
        let name = name.trim().to_ascii_lowercase();
        ASKING.iter().any(|start| name.starts_with(start)) && name.len() <= LONGEST && !name.contains('<')
    };
    let word = WORDS.iter().find_map(|word| {
        let is_apart = |at: usize| {
            let around = [text[..at].chars().next_back(), text[at + word.len()..].chars().next()];
            around.into_iter().flatten().all(|c| !c.is_alphanumeric() && c != '_')
        };
        text.match_indices(word).map(|(at, _)| at).find(|at| is_apart(*at)).map(|at| Span::new(at, at + word.len()))
    });
    // A dash or a bracket behind the word is how people mark open work; `my TODO list` is a list.
    let word = word.filter(|word| {
        let rest = text[word.end..].trim_start();
        text.trim().len() == word.len()
            || rest.starts_with([':', '(', '-', '–', '!'])
            || text[..word.start].ends_with(['[', '<', '('])
    });
    [
        between("{{", "}}", &is_name),
        between("${", "}", &is_name),
        between("<", ">", &asks),
        between("[", "]", &asks),
        word,
    ]
    .into_iter()
    .flatten()
    .min_by_key(|found| found.start)
}

/// The longest name of a placeholder, in bytes: a sentence in brackets is a sentence.
const LONGEST: usize = 40;

/// How the text in the brackets of a placeholder begins.
const ASKING: [&str; 8] = ["fill in", "insert", "your ", "placeholder", "tbd", "todo", "add ", "replace"];

/// Words that mark open work.
const WORDS: [&str; 4] = ["TODO", "FIXME", "TBD", "XXX"];

#[cfg(test)]
mod tests {
    use super::{UNFINISHED_TEXT, placeholder};
    use crate::lints::tests::fixture::check;

    #[test]
    fn placeholders_are_reported_where_they_are() {
        check(
            &UNFINISHED_TEXT,
            r#"
{ "cases": [ { "prompt": "Book it for {{ customer }}.", "setup_prompts": ["Hello, <fill in>"], "expected": {
                                      ^^^^^^^^^^^^^^ `{{ customer }}` is a placeholder that nobody has filled in
                                                                                  ^^^^^^^^^ `<fill in>` is a placeholder
  "must_say_any": ["TODO", "TODO: name it", "[insert name]", "${name}"], "must_not_say": ["TODO"],
                    ^^^^ `TODO` is a placeholder
                            ^^^^ `TODO` is a placeholder
                                             ^^^^^^^^^^^^^ `[insert name]` is a placeholder
                                                              ^^^^^^^ `${name}` is a placeholder
  "must_ground_numbers": [{ "value": "1", "context_any": ["TBD"] }]
                                                           ^^^ `TBD` is a placeholder
} } ] }
"#,
        );
    }

    #[test]
    fn words_that_only_look_like_one_are_not() {
        for text in [
            "Add it to my TODO list",
            "TODOs",
            "a {b} c",
            "{{}}",
            "{{ if a > b }}",
            "${}",
            "a < b > c",
            "<b>bold</b>",
            "[docs](/a)",
            "XXXL",
            "size XXX",
            "your order",
            "Show [all] items",
        ] {
            assert_eq!(placeholder(text), None, "{text}");
        }
    }
}
