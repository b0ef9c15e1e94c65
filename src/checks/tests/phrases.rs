use super::says;

/// Whether the response says the phrase, for a check that wants it and one that forbids it.
#[track_caller]
fn both(phrase: &str, response: &str, said: bool) {
    let quoted = serde_json::to_string(phrase).unwrap();
    let expected = format!(r#"{{ "must_say_any": [{quoted}], "must_not_say": [{quoted}] }}"#);
    let (not, any) = if said { ("-", "+") } else { ("+", "-") };
    says(&expected, response, &[&format!("{not}must_not_say:{phrase}"), &format!("{any}must_say_any")]);
}

#[test]
fn phrases_are_found_literally_ignoring_case() {
    for (phrase, response, said) in [
        ("sorry", "I am SORRY to say", true),
        ("sorry", "", false),
        ("a.c", "abc", false),
        ("a.c", "x A.C y", true),
        ("(x)\\d", "(X)\\D", true),
        // Simple case folding: one character for one character.
        ("kelvin", "\u{212a}ELVIN", true),
        ("STRASSE", "straße", false),
        ("STRA\u{1e9e}E", "straße", true),
        ("istanbul", "\u{130}stanbul", false),
        ("ÄRGER", "ärger", true),
        // Texts that look the same are the same: accents, characters that show nothing, ends of lines.
        ("e\u{301}", "\u{c9}", true),
        ("Kundenbetreuung", "Kunden\u{ad}betreuung", true),
        ("\u{200b}", "ab", false),
        ("one\ntwo", "One\r\nTwo", true),
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
fn a_quoted_name_of_a_snapshot_is_read_as_its_text() {
    let snapshot = r#"- main
  - 'heading "Today''s mission: close the books"'
  - text: "Say \"hi\" to A\\B, caf\xe9"
  - text: 'it''s: done'
  - StaticText "a \"b\"""#;
    for (phrase, said) in [
        ("Today's mission: close", true),
        (r#"say "hi" to a\b, café"#, true),
        (r#"say \"hi\""#, true),
        ("it's: done", true),
        (r#"a "b""#, true),
        ("heading \"Today", true),
        ("Tomorrow's mission", false),
    ] {
        both(phrase, snapshot, said);
    }
    // What is not a snapshot has no escapes.
    both("it's", "it''s", false);
    both("a\"b", r#"a\"b"#, false);
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
    let check = |more: &str, response: &str, sign: &str| {
        let expected = format!(r#"{{ "must_label_assumptions": true{more} }}"#);
        says(&expected, response, &[&format!("{sign}synthesis:assumptions")]);
    };
    let markers = "assumption, assuming, uncertain, not enough data, insufficient data, based on available data, \
                   cannot verify, may be stale, might be stale, confidence";
    for marker in markers.split(", ") {
        check("", &format!("An {} here.", marker.to_uppercase()), "+");
    }
    check("", "surely", "-");
    check(r#", "assumption_markers_any": []"#, "assuming", "+");
    check(r#", "assumption_markers_any": [""]"#, "assuming", "+");
    check(r#", "assumption_markers_any": ["guess"]"#, "assuming", "-");
    check(r#", "assumption_markers_any": ["x", "guess"]"#, "a Guess", "+");
    says(r#"{ "must_label_assumptions": false }"#, "surely", &[]);
    says(r#"{ "assumption_markers_any": ["guess"] }"#, "surely", &[]);
}

#[test]
fn override_actions_are_each_said() {
    says(
        r#"{ "must_allow_override_actions": ["Snooze", "Lower priority"] }"#,
        "You may snooze it.",
        &["+morning_brief:override_action:Snooze", "-morning_brief:override_action:Lower priority"],
    );
}
