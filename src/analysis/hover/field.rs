//! Hover for keys, and for values that their key explains: outcomes, groups and weights among them.

use crate::schema::{SchemaName, Shape};
use crate::suite::{Group, Outcome, Version};
use crate::syntax::{Node, Step};
use crate::text::{Span, counted, number};
use crate::wording::{Line, Markup};

use super::super::weighing::percent;
use super::HoverContext;

impl HoverContext<'_> {
    /// Adds the schema's documentation of the key or value, and its effect in this case.
    pub(super) fn field(&self, page: &mut Markup) {
        let Some(shape) = self.shape() else { return self.unknown(page) };
        let is_entry = matches!(self.cursor.path.last(), Some(Step::Index(_)));
        match shape.markdown() {
            Some(documentation) => page.markdown_text(documentation),
            // The documentation of a list also applies to its entries.
            None if is_entry => self.entry_of_list(page),
            None => page.paragraph(Line::new("Any text.")),
        }
        self.default(shape, page);
        self.version(shape, page);
        if self.cursor.path.len() > 3 && self.cursor.case.is_some() {
            self.in_this_case(shape, page);
        }
        if matches!(self.cursor.names()[..], ["cases", "*"] | ["cases", "*", "expected"]) {
            self.groups(page);
        }
    }

    fn entry_of_list(&self, page: &mut Markup) {
        let list = self.cursor.path.split_last().and_then(|(_, path)| Shape::suite(SchemaName::V0_3).descend(path));
        page.paragraph(Line::new(list.and_then(Shape::description).unwrap_or("A list entry.")));
    }

    fn unknown(&self, page: &mut Markup) {
        let name = self.cursor.path.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Index(_) => None,
        });
        let what = match name {
            Some(name) => Line::new("Unknown key ").code(name).say("; it is ignored."),
            None => Line::new("This is ignored."),
        };
        page.paragraph(what);
    }

    fn default(&self, shape: Shape, page: &mut Markup) {
        let default = match (shape.default_in_words(), shape.default()) {
            (Some(words), _) => Line::new(format!("Default: {words}.")),
            // The documentation describes the defaults of lists and objects.
            (None, Some(value)) if !value.is_array() && !value.is_object() => {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                Line::new("Default: ").code(&text).say(".")
            }
            _ => return,
        };
        page.paragraph(default);
    }

    fn version(&self, shape: Shape, page: &mut Markup) {
        let Some(since) = shape.since() else { return };
        let declared = self.document.version().version;
        if SchemaName::from(declared) as usize >= since as usize {
            return;
        }
        page.paragraph(
            Line::new(format!("This suite has version {declared}, which does not support this; "))
                .say(if declared == Version::V0_1 { "set `version` to use it." } else { "raise `version` to use it." }),
        );
    }

    fn in_this_case(&self, shape: Shape, page: &mut Markup) {
        if let Some(companion) = shape.read_with().filter(|companion| !self.has_checks_of(companion)) {
            let ignored = Line::new(format!("In this case it is ignored, because `{companion}` makes no check."));
            return page.paragraph(ignored);
        }
        let checks = self.checks_here();
        let group = checks.first().and_then(|index| self.checks[*index].group);
        match group {
            Some(group) => self.counted_in(group, checks.len(), page),
            None if shape.group().is_some() && shape.read_with().is_none() && self.cursor.path.len() == 4 => {
                page.paragraph(Line::new("In this case it makes no check."));
            }
            None => {}
        }
    }

    /// `In this case 2 of the 5 checks in formatting …`, if the case has a score.
    pub(super) fn counted_in(&self, group: Group, here: usize, page: &mut Markup) {
        let Some((_, weighing)) = self.case().filter(|(case, _)| case.case.expected.scoring.is_some()) else { return };
        let weighed = weighing.group(group);
        let line = Line::default().strong("In this case").say(match (here, weighed.checks) {
            (1, 1) => format!(" it is the only check in `{group}`"),
            (here, all) if here == all => format!(" it makes all {all} checks in `{group}`"),
            (1, all) => format!(" it is 1 of {all} checks in `{group}`"),
            (here, all) => format!(" it makes {here} of {all} checks in `{group}`"),
        });
        page.paragraph(line.then(self.weight_of(group)).say("."));
    }

    /// `, which is 15 % of the soft score. Its hard-fail group fails …`, without the last full stop.
    fn weight_of(&self, group: Group) -> Line {
        let Some((_, weighing)) = self.case() else { return Line::default() };
        let weighed = weighing.group(group);
        let share = weighed.weight.and_then(|weight| weighing.share(weight));
        let counts = share.map_or("does not count in the soft score".to_owned(), |share| {
            format!("is {} of the soft score", percent(share))
        });
        let hard = if weighed.is_hard_fail {
            ". `hard_fail` names the group: if one check does not pass, the case fails"
        } else {
            ""
        };
        Line::new(format!(", which {counts}{hard}"))
    }

    /// The indices of the checks that the text under the cursor makes. If it makes none, the check that it is part of.
    pub(super) fn checks_here(&self) -> Vec<usize> {
        let Some(case) = self.cursor.case.filter(|_| self.cursor.path.len() > 3) else { return Vec::new() };
        let here = case.relative(self.value());
        let found = |fits: &dyn Fn(Span) -> bool| -> Vec<usize> {
            let checks = self.checks.iter().enumerate();
            checks.filter(|(_, check)| fits(check.span)).map(|(index, _)| index).collect()
        };
        let within = found(&|span| here.covers(span));
        if within.is_empty() { found(&|span| span.covers(here) && span.len() < case.case.len) } else { within }
    }

    /// The value of the key under the cursor, or the node under the cursor.
    pub(super) fn value(&self) -> Node<'_> {
        let node = self.cursor.node;
        let member = node.parent().and_then(Node::as_member).filter(|_| self.cursor.is_key);
        member.and_then(|member| member.value).unwrap_or(node)
    }

    /// Whether a field of `expected` makes a check.
    fn has_checks_of(&self, field: &str) -> bool {
        let Some(case) = self.cursor.case else { return false };
        let Some(value) = case.node.get("expected").and_then(|expected| expected.get(field)) else { return false };
        let value = case.relative(value);
        self.checks.iter().any(|check| value.covers(check.span))
    }

    fn groups(&self, page: &mut Markup) {
        let Some((case, weighing)) = self.case() else { return };
        let is_scored = case.case.expected.scoring.is_some();
        let line = Line::default().strong("In this case").say(format!(" {}", counted(self.checks.len(), "check")));
        page.paragraph(line.say(if self.checks.is_empty() || !is_scored { "." } else { ":" }));
        for weighed in weighing.groups().iter().filter(|weighed| is_scored && weighed.checks > 0) {
            let group = weighed.group;
            let checks = counted(weighed.checks, "check");
            let share = weighed.weight.and_then(|weight| weighing.share(weight)).map(percent);
            let share = share.map_or("not in the soft score".to_owned(), |share| format!("{share} of the soft score"));
            let hard = if weighed.is_hard_fail { ", hard fail" } else { "" };
            page.item(0, Line::new(format!("`{group}`: {checks}, {share}{hard}")));
        }
    }
}

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
        if let Some(outcome) = Outcome::from_name(name) {
            self.counted_in(Group::ToolHygiene, 1, page);
            let tools = self.case().and_then(|(case, _)| case.case.expected.tool_calls_any.as_ref());
            if !outcome.can_fail(tools.is_some_and(|tools| tools.entries().next().is_some())) {
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
