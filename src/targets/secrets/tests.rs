use serde_json::json;

use super::*;

#[test]
fn secrets_are_struck_out_in_every_form() {
    let secrets = Secrets::new([
        ("KEY", "sk-canary"),
        ("LONGER", "sk-canary-longer"),
        ("ODD", "a\"b\\c é🚀 "),
        ("PEM", "-- BEGIN --\nc2VjcmV0\nshort\n"),
        ("HTML", "p<a&ss"),
        ("URL", "https://é"),
        ("SHORT", "on"),
    ]);
    for (text, shown) in [
        ("nothing on here", "nothing on here"),
        ("sk-canary", "[redacted KEY]"),
        ("<sk-canary-longer>sk-canary", "<[redacted LONGER]>[redacted KEY]"),
        ("a\"b\\c é🚀 ", "[redacted ODD]"),
        ("(a\"b\\c é🚀)", "([redacted ODD])"),
        (r#"{"k": "a\"b\\c é🚀"}"#, r#"{"k": "[redacted ODD]"}"#),
        (r#"a\"b\\c \u00e9\ud83d\ude80"#, "[redacted ODD]"),
        (r#"a\\\"b\\\\c é🚀"#, "[redacted ODD]"),
        (r"p\u003ca\u0026ss", "[redacted HTML]"),
        (r"https:\/\/\u00e9", "[redacted URL]"),
        ("> c2VjcmV0\n> short", "> [redacted PEM]\n> short"),
        (r"-- BEGIN --\nc2VjcmV0\nshort\n", "[redacted PEM]"),
    ] {
        assert_eq!(secrets.redact(text.to_owned()), shown, "{text}");
    }
    assert!(!format!("{secrets:?}").contains("canary"));
}

#[test]
fn encoded_secrets_are_struck_out() {
    let secrets = Secrets::new([("KEY", "s3cr t&<\"'/é")]);
    for text in [
        "s3cr%20t%26%3C%22%27%2F%C3%A9",
        "s3cr%20t%26%3c%22%27/%c3%a9",
        "s3cr+t%26%3C%22%27%2F%C3%A9",
        "s3cr t&amp;&lt;&quot;&#39;/é",
        "s3cr t&amp;&lt;&#34;&#x27;/é",
        "s3cr t&amp;&lt;\"'/é",
        "s3cr t&amp;&lt;\"&apos;/é",
        "&#115;&#51;&#99;&#114;&#32;&#116;&#38;&#60;&#34;&#39;&#47;&#233;",
        "&#x73;&#x33;&#x63;&#x72;&#x20;&#x74;&#x26;&#x3C;&#x22;&#x27;&#x2F;&#xE9;",
        "733363722074263c22272fc3a9",
        "%73%33%63%72%20%74%26%3C%22%27%2f%c3%a9",
        r"\u0073\u0033\u0063\u0072\u0020\u0074\u0026\u003c\u0022\u0027\u002f\u00e9",
        "73:33:63:72:20:74:26:3c:22:27:2f:c3:a9",
        "73 33 63 72 20 74 26 3C 22 27 2F C3 A9",
        r"73\x33\x63\x72\x20\x74\x26\x3c\x22\x27\x2f\xc3\xa9",
        r#"s3cr t&<\"'/\u00E9"#,
        r"s3cr t\u0026\u003C\u0022\u0027/\u00E9",
        "733363722074263C22272FC3A9",
    ] {
        assert_eq!(secrets.redact(format!("<{text}>")), "<[redacted KEY]>", "{text}");
    }
    for before in ["", "a", "ab", "user:"] {
        for after in ["", "z", "yz"] {
            for encoding in [data_encoding::BASE64, data_encoding::BASE64URL] {
                let text = encoding.encode(format!("{before}s3cr t&<\"'/é{after}").as_bytes());
                let redacted = secrets.redact(text.clone());
                // The characters at the ends may be shared with the neighbours.
                assert!(redacted.contains("[redacted KEY]"), "{before}, {after}: {text}");
            }
        }
    }
}

#[test]
fn a_secret_is_found_in_upper_and_lower_case() {
    let secrets = Secrets::new([("KEY", "sk-Canary-É")]);
    for text in ["SK-CANARY-É", "sk-canary-É", "736b2d43616e6172792dc389"] {
        assert_eq!(secrets.redact(format!("<{text}>")), "<[redacted KEY]>", "{text}");
    }
    assert_eq!(secrets.redact("SK-CANARY-é".to_owned()), "SK-CANARY-é", "another letter");
}

#[test]
fn a_streamed_secret_is_found() {
    let secrets = Secrets::new([("KEY", "sk-canary-0123456789")]);
    let delta = |text: &str| json!({ "source": "model", "event": "delta", "data": [{ "text": text }], "id": text });
    let mut events: Vec<_> = ["It is sk-c", "anar", "y-01", "23456789", "!"].map(delta).into();
    events.insert(2, json!({ "source": "tool.x", "event": "start", "text": "sk-c" }));
    let mut value = events.into();
    secrets.redact_values(std::slice::from_mut(&mut value));
    let texts: Vec<_> = [0, 1, 3, 4, 5].iter().map(|at| value[at]["data"][0]["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["It is [redacted KEY]", "", "", "", "!"]);
    assert_eq!(value[2]["text"], "sk-c", "another path");
    let mut lines = json!(["log sk-canary-", "0123456789 sk-canary-0123456789", "x"]);
    secrets.redact_values(std::slice::from_mut(&mut lines));
    assert_eq!(lines, json!(["log [redacted KEY]", " [redacted KEY]", "x"]));
}

#[test]
fn secrets_over_several_lines_are_struck_out() {
    let secrets = Secrets::new([("KEY", "sk-canary-0123456789")]);
    let base64 = data_encoding::BASE64.encode(b"sk-canary-0123456789");
    for hidden in ["sk-cana\nry-0123\r\n456789", &format!("{}\n{}", &base64[..9], &base64[9..])] {
        let redacted = secrets.redact(format!("a\n\n<{hidden}>\nb"));
        assert!(redacted.starts_with("a\n\n<[redacted KEY]") && redacted.ends_with(">\nb"), "{redacted}");
        assert!(!redacted.contains("sk-c") && !redacted.contains(&base64[..9]), "{redacted}");
    }
    assert_eq!(secrets.redact("sk-canary-\n987".to_owned()), "sk-canary-\n987");
}

#[test]
fn overlapping_secrets_go_as_a_whole() {
    let secrets = Secrets::new([("A", "abcdefgh"), ("B", "efghijkl")]);
    assert_eq!(secrets.redact("<abcdefghijkl>".to_owned()), "<[redacted A]>");
}

#[test]
fn a_value_is_redacted_in_strings_keys_and_numbers() {
    let secrets = Secrets::new([("KEY", "sk-canary"), ("PIN", "12345678")]);
    let mut value = json!({ "sk-canary": [{ "a": "x sk-canary" }, 912345678, 1234, true, null], "b": "" });
    secrets.redact_values(std::slice::from_mut(&mut value));
    let redacted = json!({
        "[redacted KEY]": [{ "a": "x [redacted KEY]" }, "9[redacted PIN]", 1234, true, null], "b": ""
    });
    assert_eq!(value, redacted);
}

#[test]
fn nothing_to_hide_changes_nothing() {
    let secrets = Secrets::new([("EMPTY", ""), ("SHORT", "12345"), ("BLANK", "        ")]);
    assert_eq!(secrets.redact("12345".to_owned()), "12345");
    assert_eq!(secrets.redact("            ".to_owned()), "            ");
    assert!(secrets.needles.is_empty());
}
