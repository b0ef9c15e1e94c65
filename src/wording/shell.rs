use std::borrow::Cow;

/// A word as a POSIX shell reads it.
pub(crate) fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | '/' | ':' | '@' | '+');
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    // Words with a NUL cannot be given to a program.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed("''"))
}

/// A command about a case, as it is typed: `eval-ls show RENEW1`.
pub(crate) fn command_for_case(command: &str, case: &str) -> String {
    let end_of_options = if case.starts_with('-') { "-- " } else { "" };
    format!("eval-ls {command} {end_of_options}{}", shell_word(case))
}
