use super::says;

#[test]
fn phrases_are_found_literally_ignoring_case() {
    let both = |phrase: &str, response: &str, said: bool| {
        let quoted = serde_json::to_string(phrase).unwrap();
        let expected = format!(r#"{{ "must_say_any": [{quoted}], "must_not_say": [{quoted}] }}"#);
        let (not, any) = if said { ("-", "+") } else { ("+", "-") };
        says(&expected, response, &[&format!("{not}must_not_say:{phrase}"), &format!("{any}must_say_any")]);
    };
    for (phrase, response, said) in [
        ("sorry", "I am SORRY to say", true),
        ("sorry", "", false),
        ("a.c", "abc", false),
        ("a.c", "x A.C y", true),
        ("(x)\\d", "(X)\\D", true),
        // Simple case folding: one character for one character.
        ("kelvin", "\u{212a}ELVIN", true),
        ("\u{212a}elvin", "kelvin", true),
        ("sure", "\u{17f}ure", true),
        ("STRASSE", "straße", false),
        ("STRA\u{1e9e}E", "straße", true),
        ("straße", "STRA\u{1e9e}E", true),
        ("istanbul", "\u{130}stanbul", false),
        ("\u{130}stanbul", "\u{130}STANBUL", true),
        ("ÄRGER", "ärger", true),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", true),
        ("e\u{301}", "\u{e9}", false),
        // A phrase may span lines, because it is looked for in the whole response.
        ("one\ntwo", "One\nTwo", true),
        ("one two", "one\ntwo", false),
        ("done\n", "done\n", true),
        ("a\rb", "A\rB", true),
        (" ", "ab", false),
    ] {
        both(phrase, response, said);
    }
}

#[test]
fn one_phrase_of_any_is_enough_and_every_forbidden_one_is_a_check() {
    says(r#"{ "must_say_any": ["a", "b"] }"#, "only B", &["+must_say_any"]);
    says(r#"{ "must_say_any": ["a", "b"] }"#, "neither, oddly".replace('a', "").as_str(), &["-must_say_any"]);
    says(r#"{ "must_not_say": ["x", "y", "x"] }"#, "an X", &["-must_not_say:x", "+must_not_say:y", "-must_not_say:x"]);
}

#[test]
fn empty_strings_count_for_nothing() {
    says(r#"{ "must_say_any": ["", "a"], "must_not_say": ["", "b"] }"#, "a", &["+must_not_say:b", "+must_say_any"]);
    says(r#"{ "must_say_any": ["", "z"] }"#, "a", &["-must_say_any"]);
    says(r#"{ "must_say_any": [""], "must_not_say": [], "must_allow_override_actions": [""] }"#, "a", &[]);
}

#[test]
fn assumptions_are_labelled_by_a_marker() {
    let id = "synthesis:assumptions";
    for marker in [
        "assumption",
        "assuming",
        "uncertain",
        "not enough data",
        "insufficient data",
        "based on available data",
        "cannot verify",
        "may be stale",
        "might be stale",
        "confidence",
    ] {
        says(
            r#"{ "must_label_assumptions": true }"#,
            &format!("An {} here.", marker.to_uppercase()),
            &[&format!("+{id}")],
        );
    }
    for (expected, response, outcomes) in [
        (r#"{ "must_label_assumptions": true }"#, "surely", &["-synthesis:assumptions"][..]),
        (
            r#"{ "must_label_assumptions": true, "assumption_markers_any": [] }"#,
            "assuming",
            &["+synthesis:assumptions"],
        ),
        (
            r#"{ "must_label_assumptions": true, "assumption_markers_any": [""] }"#,
            "assuming",
            &["+synthesis:assumptions"],
        ),
        (
            r#"{ "must_label_assumptions": true, "assumption_markers_any": ["guess"] }"#,
            "assuming",
            &["-synthesis:assumptions"],
        ),
        (
            r#"{ "must_label_assumptions": true, "assumption_markers_any": ["x", "guess"] }"#,
            "a Guess",
            &["+synthesis:assumptions"],
        ),
        (r#"{ "must_label_assumptions": false }"#, "surely", &[]),
        (r#"{ "assumption_markers_any": ["guess"] }"#, "surely", &[]),
    ] {
        says(expected, response, outcomes);
    }
}

#[test]
fn override_actions_are_each_said() {
    says(
        r#"{ "must_allow_override_actions": ["Snooze", "Lower priority"] }"#,
        "You may snooze it.",
        &["+morning_brief:override_action:Snooze", "-morning_brief:override_action:Lower priority"],
    );
}
