//! Hover for outcomes, groups and weights.

use super::super::weighing::percent;
use super::HoverContext;
use crate::schema::{SchemaName, Shape};
use crate::suite::{Group, Outcome};
use crate::syntax::Step;
use crate::text::{counted, number};
use crate::wording::{Line, Markup};

/// The maximum number of listed checks. More would push the rest of the hover out of sight.
const LISTED: usize = 8;

impl HoverContext<'_> {
    /// Explains an outcome.
    pub(super) fn outcome(&self, name: &str, page: &mut Markup) {
        let meaning = self.shape().and_then(|shape| meaning(shape, name));
        match meaning {
            Some(meaning) => page.paragraph(Line::default().strong(format!("`{name}`")).say(format!(": {meaning}"))),
            None => {
                let names = Outcome::ALL.map(Outcome::name);
                let line = Line::new("Unknown outcome ").code(name).say(", so the check fails. The outcomes are ");
                page.paragraph(line.list(names, "and", names.len()).say("."));
            }
        }
        let Some((case, _)) = self.case() else { return };
        let tools: Vec<&str> = case
            .case
            .expected
            .tool_calls_any
            .iter()
            .flat_map(|list| list.entries())
            .map(|tool| tool.value.as_str())
            .collect();
        let looks_at_tools = matches!(
            Outcome::from_name(name),
            Some(Outcome::ToolSuccess | Outcome::NeedsInput | Outcome::GracefulError)
        );
        if looks_at_tools {
            page.paragraph(match tools.is_empty() {
                true => Line::default().strong("In this case").say(" `tool_calls_any` lists no tools."),
                false => {
                    Line::default().strong("In this case").say(" the tools are ").list(tools, "and", LISTED).say(".")
                }
            });
        }
        if let Some(outcome) = Outcome::from_name(name) {
            page.paragraph(self.counted_in(Group::ToolHygiene, 1));
            if !outcome.can_fail(!self.tools_are_empty()) {
                page.paragraph(Line::new("In this case it always passes."));
            }
        }
    }

    /// Explains a group: its meaning, its checks in this case, and its weight. A weight has the page of its group.
    pub(super) fn group(&self, name: &str, page: &mut Markup) {
        let Some(group) = Group::from_name(name) else {
            let names = Group::ALL.map(Group::name);
            let line = Line::new("Unknown scoring group ")
                .code(name)
                .say(": it never fails a case, and as a weight it always scores 1. The groups are ");
            return page.paragraph(line.list(names, "and", names.len()).say("."));
        };
        let meaning = group_shape().and_then(|shape| meaning(shape, name)).unwrap_or_default();
        page.paragraph(Line::default().strong(format!("`{name}`")).say(format!(": {meaning}")));
        let Some((_, weighing)) = self.case() else { return };
        let weighed = weighing.group(group);
        self.weight(weighed.weight, page);
        if weighed.is_hard_fail {
            page.paragraph(Line::new(match weighed.checks {
                0 => "`hard_fail` names it, without effect: a group without checks never triggers.",
                _ => "`hard_fail` names it: if one check does not pass, the case is `FAIL`.",
            }));
        }
        let checks: Vec<&str> =
            self.checks.iter().filter(|check| check.group == Some(group)).map(|check| check.id.as_str()).collect();
        let line = Line::default().strong("In this case");
        if checks.is_empty() {
            return page.paragraph(line.say(" it has no checks, so it scores 1."));
        }
        page.paragraph(line.say(format!(" it has {}:", counted(checks.len(), "check"))));
        for id in checks.iter().take(LISTED) {
            page.item(0, Line::default().code(id));
        }
        if checks.len() > LISTED {
            page.item(0, Line::new(format!("and {} more", checks.len() - LISTED)));
        }
    }

    fn weight(&self, weight: Option<f64>, page: &mut Markup) {
        let Some((case, weighing)) = self.case() else { return };
        let line = match weight {
            None => Line::new("It has no weight, so it does not affect the soft score."),
            Some(weight) => {
                let given = if weighing.is_given { "Weight" } else { "Default weight" };
                let share = match weighing.share(weight) {
                    Some(share) => format!("{} of the soft score", percent(share)),
                    None => "no share, because the weights do not add up to more than 0".to_owned(),
                };
                let sum =
                    if number(weighing.sum) == "1" { String::new() } else { format!(" of {}", number(weighing.sum)) };
                Line::new(format!("{given} {}{sum}: {share}.", number(weight)))
            }
        };
        let decides = case.case.expected.threshold().is_some();
        let note =
            if decides { "" } else { " Without a `threshold`, the score is reported but does not affect the status." };
        page.paragraph(line.say(note));
    }

    fn tools_are_empty(&self) -> bool {
        let list = self.case().and_then(|(case, _)| case.case.expected.tool_calls_any.as_ref());
        list.is_none_or(|list| list.entries().next().is_none())
    }
}

fn meaning(shape: Shape, name: &str) -> Option<&'static str> {
    shape.values().find(|(value, _)| *value == name)?.1
}

/// The schema of an entry of `hard_fail`.
fn group_shape() -> Option<Shape> {
    let key = |name: &str| Step::Key(name.to_owned());
    let path = [key("expected"), key("scoring"), key("hard_fail"), Step::Index(0)];
    Shape::case(SchemaName::V0_3).descend(&path)
}
