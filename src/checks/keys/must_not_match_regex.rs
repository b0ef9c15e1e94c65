//! `must_not_match_regex`: no line of the response matches any of these patterns.

use super::rule::*;

#[derive(Debug)]
struct MustNotMatch<'a>(&'a str);

pub(super) fn ask(asked: &mut Asked<'_>) {
    let list = &asked.expected().must_not_match_regex;
    asked.each("must_not_match_regex", "format:must_not_match_regex:", list, |it| MustNotMatch(&it.value));
}

impl<'a> Rule<'a> for MustNotMatch<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        view.line_matches(self.0, Decision::failed, Decision::passed)
    }

    fn explain(&self, _: &Config) -> Option<String> {
        Some("Passes if no line of the response matches this pattern.".to_owned())
    }

    fn forbid(&self) -> Vec<Forbidden<'a>> {
        vec![Forbidden::Pattern(self.0)]
    }

    fn claim(&self, _: Sources<'_, 'a>) -> Option<Claim<'a>> {
        Some(Claim { is_forbidden: true, ..Claim::new(self.0, Condition::Matches(self.0)) })
    }
}
