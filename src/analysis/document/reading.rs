//! How a document reads its text: an edit within a case of a valid text, which leaves that case valid, reads that case again. Any other
//! edit reads the whole text; cases whose text is as before keep their results.
//!
//! An edited document equals a document that is read at once from the same text. `an_edited_document_equals_a_fresh_one` in
//! `analysis/tests.rs` holds it, and the edits of `tests/fuzz`.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use rayon::prelude::*;

use crate::analysis::case_results::{CaseResults, fingerprint};
use crate::suite::{Case, PlacedCase, Suite};
use crate::syntax::{Node, Parse, SyntaxError, parse_case, parse_in_parts};
use crate::text::{Span, alike};

use super::{Document, FEW_CASES};

impl Document {
    /// Replaces the bytes of `span`, which is cut to the text and to whole characters.
    pub fn edit(&mut self, span: Span, with: &str) {
        let span = self.text.within(span);
        let case = self.case_around(span);
        self.text.replace(span, with);
        let grown = with.len() as isize - span.len() as isize;
        if case.and_then(|index| self.read_case(index, grown)).is_none() {
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
    }

    /// The case of a valid text between whose braces `span` is.
    fn case_around(&self, span: Span) -> Option<usize> {
        let (index, placed) = self.suite.case_at(span.start)?;
        let case = placed.span();
        let within = case.start < span.start && span.end < case.end;
        (within && self.is_well_formed()).then_some(index)
    }

    /// Reads one case again after its text grew by `grown` bytes; `None` if it is not valid any more.
    fn read_case(&mut self, index: usize, grown: isize) -> Option<()> {
        let placed = &self.suite.cases[index];
        let span = Span::new(placed.start, placed.span().end.checked_add_signed(grown)?);
        let text = self.text.slice(span);
        let tree = parse_case(text)?;
        let case = Case::lower(tree.root(text)?);
        let result = CaseResults::new(text, Vec::new(), false).after(&self.results[index]);

        Arc::make_mut(&mut self.tree).replace_part(index, tree);
        self.repeats.remove(&self.suite.cases[index].case);
        self.repeats.add(&case);
        self.suite.cases[index].case = Arc::new(case);
        self.results[index] = Arc::new(result);
        self.suite.shift_after(span.start, grown);
        Some(())
    }
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

/// Whether cases repeat the id or the prompt of another, kept from edit to edit.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    ids: Tally,
    prompts: Tally,
}

impl Repeats {
    pub(super) fn add(&mut self, case: &Case) {
        self.ids.add(id(case));
        self.prompts.add(case.question);
    }

    pub(super) fn remove(&mut self, case: &Case) {
        self.ids.remove(id(case));
        self.prompts.remove(case.question);
    }

    /// Whether two ids are the same or look alike. Two different ids may have the same hash.
    pub(super) fn has_ids(&self) -> bool {
        self.ids.repeated > 0
    }

    /// Whether two cases ask the same.
    pub(super) fn has_prompts(&self) -> bool {
        self.prompts.repeated > 0
    }
}

fn id(case: &Case) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    alike(&case.id.as_ref()?.value).hash(&mut hasher);
    Some(hasher.finish())
}

/// How often each hash occurs.
#[derive(Clone, Debug, Default)]
struct Tally {
    counts: HashMap<u64, u32>,
    /// The number of hashes that occur more than once.
    repeated: usize,
}

impl Tally {
    fn add(&mut self, hash: Option<u64>) {
        let Some(hash) = hash else { return };
        let count = self.counts.entry(hash).or_default();
        *count += 1;
        self.repeated += usize::from(*count == 2);
    }

    fn remove(&mut self, hash: Option<u64>) {
        let Some(hash) = hash else { return };
        let Some(count) = self.counts.get_mut(&hash) else { return };
        *count -= 1;
        self.repeated -= usize::from(*count == 1);
        if *count == 0 {
            self.counts.remove(&hash);
        }
    }
}
