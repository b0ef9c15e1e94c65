//! How a document reads its text: all of it, one case after an edit within its braces, or the cases around another edit.
//!
//! A keystroke in a suite of 20,000 cases must cost about as much as one in a suite of ten, and each case that is read again is also
//! linted and judged again. So an edit reads only what it can change.
//!
//! The guarantee: an edited document equals a document that is read at once from the same text, with the same tree, errors, cases and
//! findings. The reader may look ahead from an error, so a case is read alone only if no error elsewhere can depend on it
//! (`is_contained`), and cases around an edit only up to a case that starts as before, with no error in front of it
//! (`is_independent_from`). Where this is not certain, everything is read.
//!
//! `an_edited_document_equals_a_fresh_one` in `analysis/tests.rs` holds it, and the edits of `tests/fuzz`. The rest of the program knows
//! `Document::new` and `Document::edit`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Document, FEW_CASES, Repeats};
use crate::analysis::case_results::{CASE_CONTAINERS, CaseResults, fingerprint};
use crate::suite::{Case, PlacedCase, Suite};
use crate::syntax::{Kind, ListPlace, Node, NodeId, Parse, SyntaxError, parse_elements, parse_in_parts, parse_nested};
use crate::text::Span;

impl Document {
    /// Replaces the bytes of `span`, which is cut to the text and to whole characters. Reads only one case again, or the
    /// cases around the edit, if the edit cannot change how other cases are read.
    pub fn edit(&mut self, span: Span, with: &str) {
        let span = self.text.within(span);
        let case = self.case_to_read_again(span);
        let around = self.around(span);
        self.text.replace(span, with);
        let grown = with.len() as isize - span.len() as isize;
        let read = case.and_then(|index| self.read_case(index, grown));
        let read = read.or_else(|| self.read_cases_around(around?, span, grown));
        if read.is_none() {
            self.read_all();
        }
    }

    /// Parses the whole text. The results of cases whose text did not change stay.
    pub(super) fn read_all(&mut self) {
        let Parse { tree, errors } = parse_in_parts(self.text.as_str(), "cases");
        let root = tree.root(self.text.as_str()).expect("the parser gives every text a root");
        let mut suite = Suite::lower_frame(root);

        let old = (std::mem::take(&mut self.suite.cases), std::mem::take(&mut self.results));
        let nodes: Vec<_> = Suite::case_nodes(root).collect();
        let read = Cases::read(&nodes, errors, &Known::new(&old.0, &old.1));
        self.repeats = Repeats::default();
        read.placed.iter().for_each(|placed| self.repeats.add(&placed.case));
        suite.cases = read.placed;
        self.suite = suite;
        self.results = read.results;
        self.errors = read.errors_outside;
        self.tree = Arc::new(tree);
        self.faulty = faulty(&self.results).collect();
    }

    /// The only case to read again after `span` is replaced. `None` if `span` is not within the braces of one case, or if
    /// there are errors elsewhere that depend on this case, or on which it depends.
    fn case_to_read_again(&self, span: Span) -> Option<usize> {
        let (index, placed) = self.suite.case_at(span.start)?;
        let case = placed.span();
        let within = case.start < span.start && span.end < case.end;
        let others_are_contained = self.faulty().all(|(other, result)| other == index || result.is_contained);
        (within && self.errors.is_empty() && others_are_contained).then_some(index)
    }

    /// Reads one case again after its text grew by `grown` bytes; `None` if it can no longer be read by itself.
    fn read_case(&mut self, index: usize, grown: isize) -> Option<()> {
        let placed = &self.suite.cases[index];
        let span = Span::new(placed.start, placed.span().end.checked_add_signed(grown)?);
        let text = self.text.slice(span);
        let parse = parse_nested(text, &CASE_CONTAINERS)?;
        let case = Case::lower(parse.tree.root(text)?);
        let is_broken = !parse.errors.is_empty();
        let result = CaseResults::new(text, parse.errors, is_broken).after(&self.results[index]);

        Arc::make_mut(&mut self.tree).replace_part(index, parse.tree);
        self.repeats.remove(&self.suite.cases[index].case);
        self.repeats.add(&case);
        self.suite.cases[index].case = Arc::new(case);
        self.faulty.retain(|faulty| *faulty != index);
        if result.is_faulty() {
            self.faulty.insert(self.faulty.partition_point(|faulty| *faulty < index), index);
        }
        self.results[index] = Arc::new(result);
        self.suite.shift_after(span.start, grown);
        Some(())
    }

    /// Where to begin if cases around `span` are read again. `None` if it is not within the list of cases, or if there are
    /// errors before these cases, because they may look ahead.
    fn around(&self, span: Span) -> Option<Around> {
        let list = self.suite.list.as_ref()?.span;
        let first = self.suite.cases.partition_point(|case| case.span().end <= span.start);
        let from = first.checked_sub(1).map_or(list.start + 1, |last| self.suite.cases[last].span().end);
        let is_within = list.start < span.start && span.end < list.end;
        let errors_follow = self.errors.iter().all(|error| error.span.start >= from);
        let earlier_are_contained = self.faulty().all(|(index, result)| index >= first || result.is_contained);
        let node = self.root().get("cases")?;
        (is_within && errors_follow && earlier_are_contained).then(|| Around {
            first,
            list: node.id(),
            is_list_broken: node.is_broken(),
        })
    }

    /// Whether the old text from the case `next` on is read in the same way if only the cases from `first` up to it change. So
    /// the last of these cases ended by itself, the later cases with errors look at nothing beyond themselves, and all errors
    /// outside of cases end before the last one; if no case changes, there may be none. `next` may be the number of cases, which
    /// stands for the list's `]`.
    fn is_independent_from(&self, next: usize, first: usize) -> bool {
        let last = next.checked_sub(1).filter(|_| next > first);
        let errors_end = last.map_or(0, |last| self.suite.cases[last].span().end);
        let last_is_contained = last.is_none_or(|last| self.results[last].is_contained);
        let later_are_contained = self.faulty().all(|(index, result)| index < next || result.is_contained);
        last_is_contained && later_are_contained && self.errors.iter().all(|error| error.span.end < errors_end)
    }

    /// Reads the cases again that begin there, after `span` of the old text was replaced and the text grew by `grown` bytes,
    /// up to a known case with unchanged text. `None` if there is none within the list.
    fn read_cases_around(&mut self, around: Around, span: Span, grown: isize) -> Option<()> {
        let first = around.first;
        let list = self.suite.list.as_ref()?.span;
        let known = &self.suite.cases;
        let place =
            first.checked_sub(1).map_or(ListPlace::Start, |last| ListPlace::AfterElement(known[last].span().end));
        let next_at = |offset: usize| {
            let old = offset.checked_add_signed(-grown).filter(|old| *old >= span.end)?;
            let at_end = (old + 1 == list.end && !around.is_list_broken).then_some(known.len());
            at_end.or_else(|| known.binary_search_by_key(&old, |case| case.start).ok())
        };
        let is_end = |offset| next_at(offset).is_some_and(|next| self.is_independent_from(next, first));
        let (Parse { mut tree, errors }, end) = parse_elements(self.text.as_str(), list.start, place, is_end)?;
        let next = next_at(end)?;

        let root = tree.root(self.text.as_str())?;
        let ids: Vec<NodeId> = root.elements().filter(|case| case.kind() == Kind::Object).map(Node::id).collect();
        tree.split(&ids);
        let nodes: Vec<_> = (0..ids.len()).filter_map(|part| tree.part(part, self.text.as_str())).collect();
        let replaced = first..next;
        let old = (known[replaced.clone()].to_vec(), self.results[replaced.clone()].to_vec());
        let read = Cases::read(&nodes, errors, &Known::new(&old.0, &old.1));
        Arc::make_mut(&mut self.tree).replace_children(around.list, replaced.clone(), tree, grown as i64);
        // A case that starts at the edit moves, too.
        self.suite.shift_after(span.start - 1, grown);
        self.replace_cases(replaced, read);
        Some(())
    }

    fn replace_cases(&mut self, replaced: Range<usize>, read: Cases) {
        let more = read.placed.len() as isize - replaced.len() as isize;
        let later = self.faulty.split_off(self.faulty.partition_point(|faulty| *faulty < replaced.end));
        self.faulty.truncate(self.faulty.partition_point(|faulty| *faulty < replaced.start));
        self.faulty.extend(faulty(&read.results).map(|index| index + replaced.start));
        self.faulty.extend(later.into_iter().map(|index| index.saturating_add_signed(more)));
        self.suite.cases[replaced.clone()].iter().for_each(|placed| self.repeats.remove(&placed.case));
        read.placed.iter().for_each(|placed| self.repeats.add(&placed.case));
        self.suite.cases.splice(replaced.clone(), read.placed);
        self.results.splice(replaced, read.results);
        self.errors = read.errors_outside;
    }
}

fn faulty(results: &[Arc<CaseResults>]) -> impl Iterator<Item = usize> {
    results.iter().enumerate().filter(|(_, result)| result.is_faulty()).map(|(index, _)| index)
}

/// Where to begin if the cases around an edit are read again.
struct Around {
    /// The first case that is read again.
    first: usize,
    /// The list of cases.
    list: NodeId,
    /// Whether the list's own text has an error.
    is_list_broken: bool,
}

/// Cases whose results may be used again.
struct Known<'a> {
    by_text: HashMap<u64, (&'a Arc<CaseResults>, &'a Arc<Case>)>,
    by_id: HashMap<&'a str, &'a CaseResults>,
}

impl<'a> Known<'a> {
    fn new(cases: &'a [PlacedCase], results: &'a [Arc<CaseResults>]) -> Known<'a> {
        let known = || results.iter().zip(cases.iter().map(|placed| &placed.case));
        let id = |case: &'a Case| case.id.as_ref().map(|id| id.value.as_str());
        Known {
            by_text: known().map(|(result, case)| (result.fingerprint, (result, case))).collect(),
            by_id: known().filter_map(|(result, case)| Some((id(case)?, result.as_ref()))).collect(),
        }
    }
}

/// Cases that were read, and the errors beside them.
struct Cases {
    placed: Vec<PlacedCase>,
    results: Vec<Arc<CaseResults>>,
    errors_outside: Vec<SyntaxError>,
}

impl Cases {
    /// Lowers the cases that are not known.
    fn read(nodes: &[Node<'_>], errors: Vec<SyntaxError>, known: &Known<'_>) -> Cases {
        let spans: Vec<_> = nodes.iter().map(|node| node.span()).collect();
        let is_well_formed = errors.is_empty();
        let (errors_outside, inside) = split_by_case(errors, &spans);
        let read = |(index, node): (usize, &Node<'_>)| {
            let errors = inside.get(&index).cloned().unwrap_or_default();
            // An error at the end of a case is not one of the case's errors, but can still break what is in the case.
            let is_broken = !is_well_formed && (!errors.is_empty() || node.descendants().any(Node::is_broken));
            let text = node.text();
            let (case, result) = match known.by_text.get(&fingerprint(text, &errors)) {
                Some((result, case)) if result.errors == errors && result.is_broken == is_broken => {
                    (Arc::clone(case), Arc::clone(result))
                }
                _ => {
                    let case = Case::lower(*node);
                    let earlier = case.id.as_ref().and_then(|id| known.by_id.get(id.value.as_str()));
                    let result = CaseResults::new(text, errors, is_broken);
                    let result = match earlier {
                        Some(earlier) => result.after(earlier),
                        None => result,
                    };
                    (Arc::new(case), Arc::new(result))
                }
            };
            (PlacedCase { start: spans[index].start, case }, result)
        };
        let (placed, results) = nodes.par_iter().enumerate().with_min_len(FEW_CASES).map(read).unzip();
        Cases { placed, results, errors_outside }
    }
}

/// Splits errors into those outside of cases, and those of each case by its index, with spans from the start of the case.
fn split_by_case(errors: Vec<SyntaxError>, cases: &[Span]) -> (Vec<SyntaxError>, HashMap<usize, Vec<SyntaxError>>) {
    let mut outside = Vec::new();
    let mut inside: HashMap<usize, Vec<SyntaxError>> = HashMap::new();
    for error in errors {
        let after = cases.partition_point(|case| case.start < error.span.start);
        let case = after.checked_sub(1).map(|index| (index, cases[index]));
        // An error at the end of a case, for instance an unclosed brace, depends on what follows the case.
        match case.filter(|(_, case)| error.span.end < case.end) {
            Some((index, case)) => inside.entry(index).or_default().push(error.relative_to(case.start)),
            None => outside.push(error),
        }
    }
    (outside, inside)
}
