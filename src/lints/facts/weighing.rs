//! The weights of a case. If another lint reports an error in them first, the answer is the one that keeps the lints
//! here silent.

use crate::diagnostic::{Edit, nearest};
use crate::suite::{DEFAULT_WEIGHTS, Field, Group, Weight, effective_weights};
use crate::syntax::{Node, separator_before};
use crate::text::Span;

use super::weight_text::Written;
use crate::lints::CaseContext;

/// The weights that a case defines.
pub(crate) struct Given<'a> {
    /// The key `weights`.
    pub(crate) key: Span,
    /// Their object.
    pub(crate) node: Node<'a>,
    /// The weights, in order. If a group occurs twice, the last weight counts, as in the runner.
    pub(crate) weights: Vec<&'a Weight>,
    /// Whether each member of the object could be read.
    is_whole: bool,
}

impl<'a> Given<'a> {
    /// Returns the weights of a case; `None` if it has none.
    pub(crate) fn of<'c>(cx: &'c CaseContext<'a>) -> Option<&'c Self> {
        cx.weights.get_or_init(|| Self::read(cx)).as_ref()
    }

    fn read(cx: &CaseContext<'a>) -> Option<Self> {
        let field = cx.case.expected.weights()?;
        let node = cx.node_at(field.span)?;
        let weights = effective_weights(&field.value);
        let is_whole =
            node.members().count() == field.value.len() && !node.descendants().any(|inner| inner.is_broken());
        Some(Self { key: field.key, node, weights, is_whole })
    }

    /// Returns their sum; `None` if one of them is unreadable or negative, because another lint reports that.
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

    /// Returns the edit that adds a weight after the last one; `None` if there is no weight yet.
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

    /// Returns whether the soft score uses them: their sum is above 0, and every group exists.
    fn weigh(&self) -> bool {
        let is_known = |weight: &&Weight| Group::from_name(&weight.group.value).is_some();
        self.sum().is_some_and(|sum| sum > 0.0) && self.weights.iter().all(is_known)
    }

    /// Returns the groups with a check that can fail, without a weight (even 0), and not in `hard_fail`. The result is
    /// empty if the soft score does not use these weights.
    pub(crate) fn unweighted_groups(&self, cx: &CaseContext<'_>) -> Vec<Group> {
        let is_named = |group: Group| self.weights.iter().any(|weight| weight.group.value == group.name());
        let groups = Group::ALL.into_iter().filter(|_| self.weigh());
        groups.filter(|&group| cx.can_fail(group) && !is_named(group) && !is_hard_fail(cx, group)).collect()
    }
}

/// Returns the groups in the soft score: those with a weight above 0, or those of the default weights. `None` if the
/// text is ambiguous.
pub(crate) fn weighed_groups(cx: &CaseContext<'_>) -> Option<Vec<Group>> {
    match Given::of(cx) {
        Some(given) => given.weigh().then(|| {
            let counted = given.weights.iter().filter(|weight| weight.value.value > 0.0);
            counted.filter_map(|weight| Group::from_name(&weight.group.value)).collect()
        }),
        None => (!has_key_like(cx, "weights")).then(|| DEFAULT_WEIGHTS.map(|(group, _)| group).to_vec()),
    }
}

/// Returns the threshold if it is above 0 and at most 1, so that some scores reach it and others do not.
pub(crate) fn deciding_threshold<'a>(cx: &CaseContext<'a>) -> Option<&'a Field<f64>> {
    cx.case.expected.threshold().filter(|threshold| threshold.value > 0.0 && threshold.value <= 1.0)
}

/// Returns whether `hard_fail` names the group.
pub(crate) fn is_hard_fail(cx: &CaseContext<'_>, group: Group) -> bool {
    cx.case.expected.hard_fail().is_some_and(|list| list.entries().any(|entry| entry.value == group.name()))
}

/// Returns whether a key in `scoring`, or in a place where its keys may be by mistake, is or resembles this one.
pub(crate) fn has_key_like(cx: &CaseContext<'_>, name: &str) -> bool {
    let expected = cx.node.get("expected");
    let scoring = expected.and_then(|expected| expected.get("scoring"));
    let soft_score = scoring.and_then(|scoring| scoring.get("soft_score"));
    let mut members = [expected, scoring, soft_score].into_iter().flatten().flat_map(Node::members);
    members.any(|member| member.key.as_str().is_none_or(|key| key == name || nearest(&key, [name]).is_some()))
}
