//! Mistakes that make the text invalid JSON.

use eval_ls::testing::{Kind, Node, Span};

use crate::mutations::edits::*;
use crate::mutations::source::{Source, is_key};
use crate::mutations::study::{Area, Operator, operator};

pub(crate) fn operators() -> Vec<Operator> {
    let syntax = |name, mistakes| operator(Area::Syntax, name, mistakes);
    vec![
        syntax("comma lost between members", |s| commas_lost(s, Kind::Member)),
        syntax("comma lost between strings", |s| commas_lost(s, Kind::String)),
        syntax("comma lost between objects", |s| commas_lost(s, Kind::Object)),
        syntax("comma doubled", |s| on_commas(s, ",,")),
        syntax("; for ,", |s| on_commas(s, ";")),
        syntax(". for ,", |s| on_commas(s, ".")),
        syntax("trailing comma in an object", |s| trailing(s, Kind::Object)),
        syntax("trailing comma in a list", |s| trailing(s, Kind::Array)),
        syntax("leading comma", |s| each(s, is_container, |n| insert(n.span().start + 1, ","))),
        syntax("opening quote of a key lost", |s| each(s, is_key, |n| delete(n.span().start, n.span().start + 1))),
        syntax("closing quote of a key lost", |s| each(s, is_key, |n| delete(n.span().end - 1, n.span().end))),
        syntax("opening quote of a value lost", |s| each(s, is_value, |n| delete(n.span().start, n.span().start + 1))),
        syntax("closing quote of a value lost", |s| each(s, is_value, |n| delete(n.span().end - 1, n.span().end))),
        syntax("opening quote of an entry lost", |s| each(s, is_entry, |n| delete(n.span().start, n.span().start + 1))),
        syntax("closing quote of an entry lost", |s| each(s, is_entry, |n| delete(n.span().end - 1, n.span().end))),
        syntax("colon lost", |s| on_colons(s, "")),
        syntax("= for :", |s| on_colons(s, " =")),
        syntax("=> for :", |s| on_colons(s, " =>")),
        syntax("; for :", |s| on_colons(s, ";")),
        syntax(", for :", |s| on_colons(s, ",")),
        syntax(":: for :", |s| on_colons(s, "::")),
        syntax(":= for :", |s| on_colons(s, " :=")),
        syntax("closing brace lost", |s| on_closer(s, Kind::Object, "")),
        syntax("closing bracket lost", |s| on_closer(s, Kind::Array, "")),
        syntax("opening brace lost", |s| on_opener(s, Kind::Object, "")),
        syntax("opening bracket lost", |s| on_opener(s, Kind::Array, "")),
        syntax("closing brace doubled", |s| on_closer(s, Kind::Object, "}}")),
        syntax("closing bracket doubled", |s| on_closer(s, Kind::Array, "]]")),
        syntax("opening brace doubled", |s| on_opener(s, Kind::Object, "{{")),
        syntax("opening bracket doubled", |s| on_opener(s, Kind::Array, "[[")),
        syntax("} for ]", |s| on_closer(s, Kind::Array, "}")),
        syntax("] for }", |s| on_closer(s, Kind::Object, "]")),
        syntax(") for ]", |s| on_closer(s, Kind::Array, ")")),
        syntax(") for }", |s| on_closer(s, Kind::Object, ")")),
        syntax("{ for [", |s| on_opener(s, Kind::Array, "{")),
        syntax("[ for {", |s| on_opener(s, Kind::Object, "[")),
        syntax("( for [", |s| on_opener(s, Kind::Array, "(")),
        syntax("single quotes around a value", |s| quoted_as(s, is_value, "'", "'")),
        syntax("single quotes around an entry", |s| quoted_as(s, is_entry, "'", "'")),
        syntax("single quotes around a key", |s| quoted_as(s, is_key, "'", "'")),
        syntax("backticks around a string", |s| quoted_as(s, is_text, "`", "`")),
        syntax("backticks around a key", |s| quoted_as(s, is_key, "`", "`")),
        syntax("curly quotes around a string", |s| quoted_as(s, is_text, "“", "”")),
        syntax("curly quotes around a key", |s| quoted_as(s, is_key, "“", "”")),
        syntax("low quotes around a string", |s| quoted_as(s, is_text, "„", "“")),
        syntax("angle quotes around a string", |s| quoted_as(s, is_text, "«", "»")),
        syntax("one curly quote", |s| quoted_as(s, is_text, "“", "\"")),
        syntax("quotes doubled around a string", |s| quoted_as(s, is_text, "\"\"", "\"\"")),
        syntax("key without quotes", |s| each(s, is_key, |n| replace(n.span(), inner(n)))),
        syntax("word without quotes", |s| {
            each(s, |n| is_text(n) && is_word(inner(n)), |n| replace(n.span(), inner(n)))
        }),
        syntax("text without quotes", |s| {
            each(
                s,
                |n| is_value(n) && inner(n).contains(' ') && !inner(n).contains('\\'),
                |n| replace(n.span(), inner(n)),
            )
        }),
        syntax("// comment", |s| line_ends(s, " // check this")),
        syntax("/* comment */", |s| line_ends(s, " /* check this */")),
        syntax("# comment", |s| line_ends(s, " # check this")),
        syntax("-- comment", |s| line_ends(s, " -- check this")),
        syntax("// comment line", |s| line_starts(s, "// \"this\": is off,\n")),
        syntax("# comment line", |s| line_starts(s, "# this one, too: [x]\n")),
        syntax("<!-- comment -->", |s| line_ends(s, " <!-- check this -->")),
        syntax("True and False", |s| each(s, is_boolean, |n| replace(n.span(), capitalised(n.text())))),
        syntax("TRUE and FALSE", |s| each(s, is_boolean, |n| replace(n.span(), n.text().to_uppercase()))),
        syntax("None for a list", |s| {
            each(s, |n| n.kind() == Kind::Array && is_read_list(n), |n| replace(n.span(), "None"))
        })
        .lossy(),
        syntax("undefined for a value", |s| {
            each(s, |n| is_read_list(n) || is_boolean(n), |n| replace(n.span(), "undefined"))
        })
        .lossy(),
        syntax("number without its 0", |s| {
            numbers(s, |t| t.strip_prefix('0').filter(|t| t.starts_with('.')).map(str::to_owned))
        }),
        syntax("number with +", |s| numbers(s, |t| Some(format!("+{t}")))),
        syntax("number with a leading 0", |s| numbers(s, |t| Some(format!("0{t}")))),
        syntax("number with a trailing .", |s| numbers(s, |t| (!t.contains('.')).then(|| format!("{t}.")))),
        syntax("decimal comma", |s| numbers(s, |t| t.contains('.').then(|| t.replace('.', ",")))),
        syntax("percent sign", |s| {
            numbers(s, |t| (t.starts_with("0.")).then(|| format!("{}%", (t.parse::<f64>().unwrap() * 100.0).round())))
        }),
        syntax("digits separated by _", |s| {
            numbers(s, |t| (t.len() > 2 && !t.contains('.')).then(|| format!("{}_{}", &t[..1], &t[1..])))
        }),
        syntax("unit behind a number", |s| {
            s.values(&["evidence_freshness_max_age_minutes"]).into_iter().map(|n| insert(n.span().end, "min")).collect()
        }),
        syntax("single backslash in a pattern", |s| {
            let single = |text: &str| text.replace(r"\\s", r"\s").replace(r"\\d", r"\d").replace(r"\\S", r"\S");
            each(s, |n| is_text(n) && single(n.text()) != n.text(), |n| replace(n.span(), single(n.text())))
        }),
        syntax("line break in a string", |s| {
            each(s, is_spaced, |n| replace(n.span(), n.text().replacen(' ', "\n", 1)))
        })
        .lossy(),
        syntax("tab in a string", |s| each(s, is_spaced, |n| replace(n.span(), n.text().replacen(' ', "\t", 1))))
            .lossy(),
        syntax("quotes within a string", |s| each(s, is_spaced, quote_a_word)).lossy(),
        syntax("quotes at a string's end", |s| each(s, is_spaced, quote_the_last_word)).lossy(),
        syntax("escaped quotes that lost their backslash", |s| {
            each(s, |n| n.text().contains("\\\""), |n| replace(n.span(), n.text().replace("\\\"", "\"")))
        }),
        syntax("word after the end", |s| ["end\n", "\n}\n", "]", ";\n"].map(|text| insert(s.text.len(), text)).into()),
        syntax("prose before the start", |_| vec![insert(0, "Here is the suite:\n\n")]),
        syntax("assignment before the start", |_| vec![insert(0, "const suite = "), insert(0, "module.exports = ")]),
        syntax("second document", |s| vec![insert(s.text.len(), "{\"cases\": []}\n")]),
        syntax("merge conflict", merge_conflict),
        syntax("merge conflict of three", merge_conflict_of_three),
        syntax("Markdown fence", |s| vec![[insert(0, "```json\n"), insert(s.text.len(), "```\n")].concat()]),
        syntax("Markdown fence left open", |_| vec![insert(0, "```json\n")]),
        syntax("no-break space between tokens", |s| each(s, is_text, |n| insert(n.span().start, "\u{a0}"))),
        syntax("zero-width space between tokens", |s| each(s, is_text, |n| insert(n.span().start, "\u{200b}"))),
        syntax("ideographic comma", |s| on_commas(s, "，")),
        syntax("full-width colon", |s| on_colons(s, "：")),
        syntax("value lost", |s| each(s, is_value, |n| replace(n.span(), ""))).open(),
        syntax("key lost", |s| {
            let members = s.members(&[]).into_iter();
            members.filter_map(|m| Some(delete(m.key.span().start, m.value?.span().start))).collect()
        })
        .open(),
        syntax("ellipsis in a list", |s| {
            each(s, |n| n.kind() == Kind::Array && is_read_list(n), |n| insert(n.span().end - 1, ", ..."))
        }),
        syntax("diff marker", |s| {
            let starts = s.text.match_indices('\n').map(|(at, _)| at + 1);
            starts.filter(|at| s.text[*at..].starts_with([' ', '\t'])).map(|at| insert(at, "+")).collect()
        }),
        syntax("cut off", |s| {
            let ends = (5..9).map(|tenth| s.text.floor_char_boundary(s.text.len() * tenth / 10));
            ends.map(|at| delete(at, s.text.len())).collect()
        })
        .open(),
        syntax("nothing in the file", |s| ["", " \n"].map(|text| replace(Span::new(0, s.text.len()), text)).into())
            .open(),
    ]
}

fn each(s: &Source, is_wanted: impl Fn(Node<'_>) -> bool, make: impl Fn(Node<'_>) -> Mistake) -> Vec<Mistake> {
    s.nodes(is_wanted).into_iter().map(make).collect()
}

/// Other quotes around each of these strings.
fn quoted_as(s: &Source, is_wanted: fn(Node<'_>) -> bool, before: &str, after: &str) -> Vec<Mistake> {
    each(s, is_wanted, |n| replace(n.span(), format!("{before}{}{after}", inner(n))))
}

fn is_text(node: Node<'_>) -> bool {
    node.kind() == Kind::String && !is_key(node)
}

fn is_spaced(node: Node<'_>) -> bool {
    is_text(node) && inner(node).contains(' ')
}

fn is_value(node: Node<'_>) -> bool {
    is_text(node) && node.parent().is_some_and(|parent| parent.kind() == Kind::Member)
}

fn is_entry(node: Node<'_>) -> bool {
    is_text(node) && node.parent().is_some_and(|parent| parent.kind() == Kind::Array)
}

fn is_boolean(node: Node<'_>) -> bool {
    matches!(node.kind(), Kind::True | Kind::False)
}

fn is_read_list(node: Node<'_>) -> bool {
    let key = node.parent().and_then(Node::as_member).and_then(|member| member.key.as_str());
    node.kind() == Kind::Array && key.is_some_and(|key| key.starts_with("must_") || key.starts_with("tool_"))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn capitalised(text: &str) -> String {
    text[..1].to_uppercase() + &text[1..]
}

fn quote_a_word(node: Node<'_>) -> Mistake {
    let mut words: Vec<_> = inner(node).split(' ').map(str::to_owned).collect();
    let index = words.len() / 2 - usize::from(words.len() == 2 && words.len() / 2 == 1 && words[0].len() > 1);
    words[index] = format!("\"{}\"", words[index]);
    replace(node.span(), format!("\"{}\"", words.join(" ")))
}

fn quote_the_last_word(node: Node<'_>) -> Mistake {
    let (rest, last) = inner(node).rsplit_once(' ').unwrap();
    replace(node.span(), format!("\"{rest} \"{last}\"\""))
}

fn commas_lost(s: &Source, kind: Kind) -> Vec<Mistake> {
    let nodes =
        s.nodes(|node| node.kind() == kind && !is_key(node) && node.parent().is_some_and(|p| p.kind() != Kind::Member));
    nodes.into_iter().filter_map(|node| comma_after(node, s.text)).map(|at| delete(at, at + 1)).collect()
}

fn on_commas(s: &Source, with: &str) -> Vec<Mistake> {
    let nodes = s.nodes(|node| has_next(node) && !is_key(node)).into_iter();
    nodes.filter_map(|node| comma_after(node, s.text)).map(|at| replace(Span::new(at, at + 1), with)).collect()
}

fn trailing(s: &Source, kind: Kind) -> Vec<Mistake> {
    let nodes = s.nodes(|node| node.kind() == kind);
    nodes.into_iter().filter_map(|node| node.children().last()).map(|last| insert(last.span().end, ",")).collect()
}

fn on_colons(s: &Source, with: &str) -> Vec<Mistake> {
    let colons = s.members(&[]).into_iter().map(|member| colon_of(member, s.text));
    colons.map(|at| replace(Span::new(at, at + 1), with)).collect()
}

fn on_closer(s: &Source, kind: Kind, with: &str) -> Vec<Mistake> {
    let nodes = s.nodes(|node| node.kind() == kind && node.children().next().is_some());
    nodes.into_iter().map(|node| replace(Span::new(node.span().end - 1, node.span().end), with)).collect()
}

fn on_opener(s: &Source, kind: Kind, with: &str) -> Vec<Mistake> {
    let nodes = s.nodes(|node| node.kind() == kind && node.children().next().is_some());
    nodes.into_iter().map(|node| replace(Span::new(node.span().start, node.span().start + 1), with)).collect()
}

fn numbers(s: &Source, make: impl Fn(&str) -> Option<String>) -> Vec<Mistake> {
    let nodes = s.nodes(|node| node.kind() == Kind::Number);
    nodes.into_iter().filter_map(|node| Some(replace(node.span(), make(node.text())?))).collect()
}

fn line_ends(s: &Source, text: &str) -> Vec<Mistake> {
    let ends = s.text.match_indices('\n').map(|(at, _)| at).filter(|at| at + 1 < s.text.len());
    ends.map(|at| insert(at, text)).collect()
}

fn line_starts(s: &Source, text: &str) -> Vec<Mistake> {
    line_ends(s, text).into_iter().map(|mistake| insert(mistake[0].0.start + 1, text)).collect()
}

/// One line, as it is on both sides of a conflict.
fn whole_lines(s: &Source) -> Vec<Span> {
    let members = s.nodes(|node| node.kind() == Kind::Member && !node.text().contains('\n'));
    let lines = members.into_iter().filter_map(|node| {
        let start = s.text[..node.span().start].rfind('\n')? + 1;
        let end = node.span().end + s.text[node.span().end..].find('\n')? + 1;
        let is_alone = s.text[start..node.span().start].trim().is_empty()
            && s.text[node.span().end..end].trim_matches([',', '\n', ' ']).is_empty();
        is_alone.then(|| Span::new(start, end))
    });
    lines.collect()
}

fn merge_conflict(s: &Source) -> Vec<Mistake> {
    let conflict = |line: Span| {
        let text = &s.text[line.range()];
        let theirs = text.replacen('"', "\"x_", 1);
        replace(line, format!("<<<<<<< HEAD\n{text}=======\n{theirs}>>>>>>> other\n"))
    };
    whole_lines(s).into_iter().map(conflict).collect()
}

fn merge_conflict_of_three(s: &Source) -> Vec<Mistake> {
    let conflict = |line: Span| {
        let text = &s.text[line.range()];
        replace(line, format!("<<<<<<< HEAD\n{text}||||||| base\n{text}=======\n{text}>>>>>>> other\n"))
    };
    whole_lines(s).into_iter().map(conflict).collect()
}
