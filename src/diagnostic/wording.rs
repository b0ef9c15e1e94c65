//! How text of a file is shown in messages, and which known name a mistaken one is near to.

use strsim::osa_distance;

/// How much of a text a message shows, in code points.
const SHOWN: usize = 60;

/// `text` in backticks (an empty one as two quotes), cut where it is long, with what is invisible or would reorder the line written as escapes.
pub fn quoted(text: &str) -> String {
    if text.is_empty() {
        return "`\"\"`".to_owned();
    }
    let mut shown = String::from("`");
    for c in text.chars().take(SHOWN) {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown.push('`');
    shown
}

/// The names in backticks, parted by commas, the last one by "or".
pub fn alternatives<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The candidate that `name` was most likely meant to be, if it is near to one. A third of its characters may differ.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length > SHOWN {
        return None;
    }
    let folded = name.to_lowercase().replace('-', "_");
    candidates
        .into_iter()
        .map(|candidate| (osa_distance(&folded, &candidate.to_lowercase().replace('-', "_")), candidate))
        .filter(|(distance, _)| *distance <= (length / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_hostile_text_harmlessly() {
        for (text, shown) in [
            ("plain \"text\" é\\", "`plain \"text\" é\\`"),
            ("a\u{202e}b\nc\0\u{1b}[31m\u{feff}", r"`a\u{202e}b\nc\0\u{1b}[31m\u{feff}`"),
        ] {
            assert_eq!(quoted(text), shown);
        }
        assert_eq!(quoted(""), "`\"\"`");
        assert_eq!(quoted(&"x".repeat(100_000)), format!("`{}…`", "x".repeat(60)));
    }

    #[test]
    fn finds_the_nearest_name() {
        let known = ["include", "exclude", "target", "targets", "undefined-ui-hint"];
        for (name, meant) in [
            ("inclde", Some("include")),
            ("Exclude", Some("exclude")),
            ("tragets", Some("targets")),
            ("undefined_ui_hint", Some("undefined-ui-hint")),
            ("colour", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
        assert_eq!(nearest("", ["a"]), Some("a"));
        assert_eq!(nearest(&"include".repeat(10_000), known), None);
    }

    #[test]
    fn lists_alternatives() {
        for (names, listed) in [(&[][..], ""), (&["a"], "`a`"), (&["a", "b"], "`a` or `b`")] {
            assert_eq!(alternatives(names.iter().copied()), listed);
        }
        assert_eq!(alternatives(["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
