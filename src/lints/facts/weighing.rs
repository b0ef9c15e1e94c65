//! Which weights hold in a case. Where the text leaves a doubt, because another lint has something to say about it first,
//! the answer is the one that keeps a lint silent.

use crate::diagnostic::{Edit, nearest};
use crate::suite::{DEFAULT_WEIGHTS, Field, Group, Weight, effective_weights};
use crate::syntax::{Node, separator_before};
use crate::text::Span;

use super::weight_text::Written;
use crate::lints::CaseContext;

/// The weights that a case gives.
pub(crate) struct Given<'a> {
    /// The key `weights`.
    pub(crate) key: Span,
    /// Their object.
    pub(crate) node: Node<'a>,
    /// The weights, in order; of a group that stands twice the last, as the runner takes it.
    pub(crate) weights: Vec<&'a Weight>,
    /// Whether each member of the object could be read.
    is_whole: bool,
}

impl<'a> Given<'a> {
    /// The weights of a case; `None` where it gives none.
    pub(crate) fn of(cx: &CaseContext<'a>) -> Option<Self> {
        let field = cx.case.expected.weights()?;
        let node = cx.node_at(field.span)?;
        let weights = effective_weights(&field.value);
        let is_whole =
            node.members().count() == field.value.len() && !node.descendants().any(|inner| inner.is_broken());
        Some(Self { key: field.key, node, weights, is_whole })
    }

    /// What they add up to; `None` where one of them could not be read, or is below 0, which is the fault then.
    pub(crate) fn sum(&self) -> Option<f64> {
        let is_sound = self.is_whole && self.weights.iter().all(|weight| weight.value.value >= 0.0);
        is_sound.then(|| self.weights.iter().map(|weight| weight.value.value).sum())
    }

    /// Each weight as it is written.
    pub(crate) fn written(&self, cx: &CaseContext<'a>) -> Vec<Written<'a>> {
        let written = |weight: &&Weight| {
            let text = cx.node.text().get(weight.value.span.range()).unwrap_or_default();
            Written { value: weight.value.value, text }
        };
        self.weights.iter().map(written).collect()
    }

    /// The edits that give each weight its new text.
    pub(crate) fn rewrite(&self, cx: &CaseContext<'a>, texts: &[String]) -> Vec<Edit> {
        let changed = self.weights.iter().zip(self.written(cx)).zip(texts).filter(|((_, old), new)| old.text != *new);
        changed.map(|((weight, _), new)| Edit::replace(weight.value.span, new)).collect()
    }

    /// The edit that adds a weight behind the last one; `None` where there is none yet.
    pub(crate) fn insert(&self, cx: &CaseContext<'_>, group: Group, text: &str) -> Option<Edit> {
        let last = self.node.members().last()?.node.span();
        let separator = separator_before(cx.node.text(), last.start);
        Some(Edit::insert(last.end, format!(",{separator}\"{group}\": {text}")))
    }

    /// The other weights.
    pub(crate) fn without(&self, dropped: &Weight) -> Given<'a> {
        let weights = self.weights.iter().copied().filter(|weight| !std::ptr::eq(*weight, dropped)).collect();
        Given { weights, ..*self }
    }

    /// Whether the soft score goes by them: they add up to more than 0, and each is that of a group that exists.
    fn weigh(&self) -> bool {
        let is_known = |weight: &&Weight| Group::from_name(&weight.group.value).is_some();
        self.sum().is_some_and(|sum| sum > 0.0) && self.weights.iter().all(is_known)
    }

    /// The groups of which some check can fail and that have neither a weight, be it 0, nor a place in `hard_fail`;
    /// none where the soft score does not go by these weights.
    pub(crate) fn unweighted_groups(&self, cx: &CaseContext<'_>) -> Vec<Group> {
        let is_named = |group: Group| self.weights.iter().any(|weight| weight.group.value == group.name());
        let groups = Group::ALL.into_iter().filter(|_| self.weigh());
        groups.filter(|&group| cx.can_fail(group) && !is_named(group) && !is_hard_fail(cx, group)).collect()
    }
}

/// The groups that the soft score weighs: those with a weight above 0, or without weights the default ones. `None` where
/// the text leaves a doubt.
pub(crate) fn weighed_groups(cx: &CaseContext<'_>) -> Option<Vec<Group>> {
    match Given::of(cx) {
        Some(given) => given.weigh().then(|| {
            let counted = given.weights.iter().filter(|weight| weight.value.value > 0.0);
            counted.filter_map(|weight| Group::from_name(&weight.group.value)).collect()
        }),
        None => (!has_key_like(cx, "weights")).then(|| DEFAULT_WEIGHTS.map(|(group, _)| group).to_vec()),
    }
}

/// The threshold, where one from above 0 up to 1 is given: one that some scores reach and, but for hard-fail groups, some
/// do not.
pub(crate) fn deciding_threshold<'a>(cx: &CaseContext<'a>) -> Option<&'a Field<f64>> {
    cx.case.expected.threshold().filter(|threshold| threshold.value > 0.0 && threshold.value <= 1.0)
}

/// Whether `hard_fail` names the group.
pub(crate) fn is_hard_fail(cx: &CaseContext<'_>, group: Group) -> bool {
    cx.case.expected.hard_fail().is_some_and(|list| list.entries().any(|entry| entry.value == group.name()))
}

/// Whether some key in `scoring`, or where its keys may be misplaced, is this one or resembles it.
pub(crate) fn has_key_like(cx: &CaseContext<'_>, name: &str) -> bool {
    let expected = cx.node.get("expected");
    let scoring = expected.and_then(|expected| expected.get("scoring"));
    let soft_score = scoring.and_then(|scoring| scoring.get("soft_score"));
    let mut members = [expected, scoring, soft_score].into_iter().flatten().flat_map(Node::members);
    members.any(|member| member.key.as_str().is_none_or(|key| nearest(&key, [name]).is_some()))
}
