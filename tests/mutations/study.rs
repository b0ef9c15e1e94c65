//! Runs the operators, and counts.

use std::fmt::Write as _;
use std::sync::Arc;

use eval_ls::testing::{Document, Finding, Severity, Span, Text, Workspace, safe_edits};
use serde_json::Value;

use crate::mutations::edits::Mistake;
use crate::mutations::source::{Source, sources};

/// The limit of mutants of one kind.
const MUTANTS: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Area {
    Key,
    Type,
    Syntax,
    Value,
    Semantic,
    Regex,
    Scoring,
}

#[derive(Clone, Copy)]
pub(crate) struct Operator {
    pub area: Area,
    pub name: &'static str,
    /// Returns every mistake of this kind that is possible in a suite.
    pub mistakes: fn(&Source) -> Vec<Mistake>,
    /// Whether the text does not show the original, so that a fix is right if it leaves a clean file.
    pub is_lossy: bool,
    /// Whether no fix is obvious, so that a person must decide.
    pub is_open: bool,
}

pub(crate) fn operator(area: Area, name: &'static str, mistakes: fn(&Source) -> Vec<Mistake>) -> Operator {
    Operator { area, name, mistakes, is_lossy: false, is_open: false }
}

impl Operator {
    /// The text does not show the original.
    pub(crate) fn lossy(self) -> Self {
        Self { is_lossy: true, ..self }
    }

    /// A person must decide.
    pub(crate) fn open(self) -> Self {
        Self { is_open: true, ..self }
    }
}

#[derive(Default, Clone, Copy)]
struct Row {
    made: usize,
    found: usize,
    exact: usize,
    single: usize,
    fix: usize,
    first: usize,
    right: usize,
    bad_safe: usize,
}

pub(crate) struct Study {
    rows: Vec<(Operator, Row)>,
}

impl Study {
    pub(crate) fn run(operators: &[Operator]) -> Study {
        let sources = sources();
        let workspace = Arc::new(workspace());
        for source in &sources {
            let found = findings(source.text, source, &workspace);
            assert!(found.is_empty(), "{} is not clean: {found:#?}", source.path.display());
        }
        let rows_of = |part: &[Operator]| -> Vec<_> {
            part.iter().map(|operator| (*operator, row(operator, &sources, &workspace))).collect()
        };
        let rows = std::thread::scope(|scope| {
            let parts = operators.chunks(operators.len().div_ceil(8));
            let workers: Vec<_> = parts.map(|part| scope.spawn(move || rows_of(part))).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        Study { rows }
    }

    fn total(&self, is_counted: impl Fn(&Operator) -> bool) -> Row {
        let mut total = Row::default();
        for (_, row) in self.rows.iter().filter(|(operator, _)| is_counted(operator)) {
            total.made += row.made;
            total.found += row.found;
            total.exact += row.exact;
            total.single += row.single;
            total.fix += row.fix;
            total.first += row.first;
            total.right += row.right;
            total.bad_safe += row.bad_safe;
        }
        total
    }

    pub(crate) fn table(&self) -> String {
        let mut table = String::from(
            "# What the lints make of mistakes\n\n\
             Made by `UPDATE_TABLE=1 cargo test --test integration mutations`. *found*: a finding above hint; *exact*: one of them on the\n\
             mistake; *single*: exactly one; *fix*: some fix is offered; *first*: the first fix is right; *right*: some fix is\n\
             right. A fix is right if it gives the original's values, or, if the text does not show them (°), a clean file.\n\
             A person has to decide about the kinds with a star; they do not count for fixes.\n\n\
             | area | mistake | made | found | exact | single | fix | first | right |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        );
        for (operator, row) in &self.rows {
            let mark = match (operator.is_open, operator.is_lossy) {
                (true, _) => " *",
                (false, true) => " °",
                (false, false) => "",
            };
            line(&mut table, &format!("{:?}", operator.area).to_lowercase(), &format!("{}{mark}", operator.name), row);
        }
        for area in [Area::Key, Area::Type, Area::Syntax, Area::Value, Area::Semantic, Area::Regex, Area::Scoring] {
            let total = self.total(|operator| operator.area == area);
            line(&mut table, &format!("{area:?}").to_lowercase(), "**all**", &total);
        }
        line(&mut table, "**all**", "", &self.total(|_| true));
        line(&mut table, "**all**", "without those with a star", &self.total(|operator| !operator.is_open));
        table
    }

    pub(crate) fn assert_targets(&self) {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let all = self.total(|_| true);
        let fixable = self.total(|operator| !operator.is_open);
        let syntax = self.total(|operator| operator.area == Area::Syntax);
        let figures = [
            ("found", share(all.found, all.made), 0.99),
            ("single", share(all.single, all.found), 0.95),
            ("single of syntax", share(syntax.single, syntax.found), 0.92),
            ("fix", share(fixable.fix, fixable.found), 0.80),
            ("right", share(fixable.right, fixable.fix), 0.95),
        ];
        assert_eq!(all.bad_safe, 0, "a safe fix changes a value");
        for (name, share, target) in figures {
            assert!(share >= target, "{name}: {:.1} % is below {:.1} %", share * 100.0, target * 100.0);
        }
    }
}

fn line(table: &mut String, area: &str, name: &str, row: &Row) {
    let of = |part: usize, whole: usize| match part == whole {
        true if whole > 0 => "all".to_owned(),
        _ if whole == 0 => "–".to_owned(),
        _ => format!("{part}/{whole}"),
    };
    writeln!(
        table,
        "| {area} | {} | {} | {} | {} | {} | {} | {} | {} |",
        name.replace('|', "\\|"),
        row.made,
        of(row.found, row.made),
        of(row.exact, row.found),
        of(row.single, row.found),
        of(row.fix, row.found),
        of(row.first, row.fix),
        of(row.right, row.fix),
    )
    .unwrap();
}

fn findings(text: &str, source: &Source, workspace: &Arc<Workspace>) -> Vec<Finding> {
    let mut found = Document::new(Text::new(text), Some(source.path.clone())).findings(workspace);
    found.retain(|finding| finding.severity > Severity::Hint);
    found
}

/// Returns the mutants of a kind: up to [`MUTANTS`], spread evenly over all suites and places.
fn chosen(operator: &Operator, sources: &[Source]) -> Vec<(usize, Mistake)> {
    let mut all = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        all.extend((operator.mistakes)(source).into_iter().map(|mistake| (index, mistake)));
    }
    let count = all.len();
    if count <= MUTANTS {
        return all;
    }
    (0..MUTANTS).map(|turn| all[turn * count / MUTANTS].clone()).collect()
}

fn row(operator: &Operator, sources: &[Source], workspace: &Arc<Workspace>) -> Row {
    let mut row = Row::default();
    for (index, mistake) in chosen(operator, sources) {
        let source = &sources[index];
        let (text, place) = apply(source.text, &mistake);
        row.made += 1;
        let found = findings(&text, source, workspace);
        if found.is_empty() {
            continue;
        }
        row.found += 1;
        row.exact += usize::from(found.iter().any(|finding| is_at(&text, finding, place)));
        row.single += usize::from(found.len() == 1);
        let keeps_values = operator.area != Area::Syntax || operator.is_lossy;
        row.bad_safe += usize::from(!keeps_values && changes_values(&text, &found, source));
        let mut fixes = found.iter().flat_map(|finding| &finding.fixes).peekable();
        if fixes.peek().is_none() {
            continue;
        }
        row.fix += 1;
        let right = fixes.position(|fix| {
            let edits: Vec<_> = fix.edits.iter().map(|edit| (edit.span, edit.text.clone())).collect();
            let (fixed, _) = apply(&text, &edits);
            let restored = serde_json::from_str::<Value>(&fixed).is_ok_and(|value| same(&value, &source.value));
            restored || (operator.is_lossy && findings(&fixed, source, workspace).is_empty())
        });
        row.right += usize::from(right.is_some());
        row.first += usize::from(right == Some(0));
    }
    row
}

/// Compares values; numbers are equal if their values are.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Returns whether the safe fixes turn a readable suite into one with other values than the original.
fn changes_values(text: &str, found: &[Finding], source: &Source) -> bool {
    let edits: Vec<_> = safe_edits(found).into_iter().map(|edit| (edit.span, edit.text.clone())).collect();
    if edits.is_empty() {
        return false;
    }
    let (fixed, _) = apply(text, &edits);
    serde_json::from_str::<Value>(&fixed).is_ok_and(|value| !same(&value, &source.value))
}

/// Returns the text with the replacements, and the place of the first one.
pub(crate) fn apply(text: &str, edits: &[(Span, String)]) -> (String, Span) {
    let mut sorted = edits.to_vec();
    sorted.sort_by_key(|(span, _)| *span);
    let mut changed = String::new();
    let mut at = 0;
    let mut place = None;
    for (span, with) in sorted {
        changed.push_str(&text[at..span.start]);
        place.get_or_insert(Span::new(changed.len(), changed.len() + with.len()));
        changed.push_str(&with);
        at = span.end;
    }
    changed.push_str(&text[at..]);
    (changed, place.unwrap_or_default())
}

/// Returns whether a finding is on the mistake: it touches the changed text or the tokens beside it, or has related
/// information there.
fn is_at(text: &str, finding: &Finding, place: Span) -> bool {
    let bytes = text.as_bytes();
    let (mut start, mut end) = (place.start, place.end.min(text.len()));
    while start > 0 && (bytes[start - 1].is_ascii_whitespace() || matches!(bytes[start - 1], b',' | b':' | b'"')) {
        start -= 1;
    }
    while end < text.len() && (bytes[end].is_ascii_whitespace() || matches!(bytes[end], b',' | b':' | b'"')) {
        end += 1;
    }
    let touches = |span: Span| span.start <= end && start <= span.end;
    touches(finding.span) || finding.related.iter().any(|related| touches(related.span))
}

/// A workspace whose transcripts contain every tool that the suites name, and that defines their UI hint.
pub(crate) fn workspace() -> Workspace {
    let tools = "renew_loan find_loan delete_member search_catalogue list_members export_members reserve_item \
        book_slot find_slot cancel_ticket delete_customer refund_order suche_schuhe zeige_liste find_train \
        book_train pay_ticket storniere_reise create_ticket close_ticket purge_queue";
    let mut workspace = Workspace::default();
    workspace.tools = tools.split(' ').map(|tool| (tool.to_owned(), 1)).collect();
    workspace.ui_hints = ["The list of tickets is open.".to_owned()].into();
    workspace
}
