use std::borrow::Cow;

/// A word as a shell reads it. Control characters are written as in `$'a\nb'`, which POSIX has since 2024, so that the word is on one line.
pub(crate) fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | '/' | ':' | '@' | '+');
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    if word.contains(char::is_control) {
        let escaped = word.chars().map(|c| match c {
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            '\'' | '\\' => format!("\\{c}"),
            c if c.is_ascii_control() => format!("\\x{:02x}", u32::from(c)),
            c => c.to_string(),
        });
        return Cow::Owned(format!("$'{}'", escaped.collect::<String>()));
    }
    // Words with a NUL cannot be given to a program.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed("''"))
}

/// A command about a case, as it is typed: `eval-ls show RENEW1`.
pub(crate) fn command_for_case(command: &str, case: &str) -> String {
    let end_of_options = if case.starts_with('-') { "-- " } else { "" };
    format!("eval-ls {command} {end_of_options}{}", shell_word(case))
}
