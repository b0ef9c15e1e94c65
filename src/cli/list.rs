use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::analysis::Document;
use crate::cli::args::{Format, ListArgs, SelectionArgs};
use crate::cli::input::{Contents, Input, Workspaces, find, or_here};
use crate::cli::selection::{SelectableSuite, Selection};
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal};
use crate::suite::{Field, PlacedCase};
use crate::text::{LineColumn, LineRange, Text, visible, visible_start};
use crate::wording::SHOWN_ID;

/// A case in the output of `--format json`: the range of its id (of the case if it has no id), and of the whole case.
/// Lines and columns count from 1, columns in code points.
#[derive(Serialize)]
struct Listed {
    file: String,
    line: usize,
    column: usize,
    id: String,
    category: String,
    prompt: String,
    range: LineRange,
}

/// Lists the cases of the suites in `args`.
pub(super) fn list(args: &ListArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let paths = or_here(&args.paths);
    list_cases(paths, args.stdin_filename.as_deref(), &args.select, args.format, console)
}

/// Lists the cases of suites: a line for each, with its id, category and prompt separated by tabs, or a JSON array.
pub(super) fn list_cases(
    paths: &[PathBuf],
    stdin_filename: Option<&Path>,
    select: &SelectionArgs,
    format: Format,
    console: &mut Console,
) -> Result<ExitStatus, Refusal> {
    let mut selection = Selection::new(select, None).or_misused()?;
    let mut workspaces = Workspaces::new();
    let found = find(paths, stdin_filename, &mut workspaces);
    let mut status = found.complain(console);
    let mut cases = Vec::new();
    for input in &found.inputs {
        match input.read() {
            Ok(Contents::Text(text)) => {
                let document = Document::new(text, input.path().map(Path::to_owned));
                let picked = picked(&mut selection, input, &document, &mut workspaces).or_nothing_selected()?;
                let of_suite = &document.suite().cases;
                let listed = picked.into_iter().map(|index| &of_suite[index]);
                cases.extend(listed.map(|case| Listed::new(input.name(), document.text(), case)));
                if !document.is_well_formed() {
                    let name = input.name();
                    console.complain(format_args!(
                        "`{name}` is not valid JSON, so cases may be missing; run `eval-ls check` to see where"
                    ));
                    status = ExitStatus::Unusable;
                }
            }
            Ok(Contents::NotUtf8 { offset, .. }) => {
                console.complain(format_args!("`{}`: invalid UTF-8 at byte {offset}", input.name()));
                status = ExitStatus::Unusable;
            }
            Err(fault) => {
                console.complain(fault);
                status = ExitStatus::Unusable;
            }
        }
    }
    status = status.max(selection.complain(console));
    let is_done = selection.is_done(console);
    match format {
        Format::Json => console.out.write_json(&cases),
        _ => cases.iter().for_each(|case| console.out.write_line(&case.line())),
    }
    Ok(if cases.is_empty() && !is_done { status.max(ExitStatus::NothingSelected) } else { status })
}

/// The indexes of the selected cases of a suite.
fn picked(
    selection: &mut Selection<'_>,
    input: &Input,
    document: &Document,
    workspaces: &mut Workspaces,
) -> Result<Vec<usize>, String> {
    let path = input.path().unwrap_or(Path::new("-"));
    let suite = SelectableSuite { path, suite: document.suite() };
    match &*workspaces.of_input(input) {
        // A faulty configuration does not matter if nothing is selected by it.
        _ if selection.selects_all() => Ok((0..suite.suite.cases.len()).collect()),
        Ok(loaded) => selection.pick(suite, loaded),
        Err(fault) => Err(fault.to_string()),
    }
}

impl Listed {
    fn new(file: String, text: &Text, placed: &PlacedCase) -> Listed {
        let case = &placed.case;
        let start = case.id.as_ref().map_or(placed.start, |id| placed.absolute(id.span).start);
        let LineColumn { line, column } = text.line_column(start);
        let span = placed.span();
        let value = |field: &Option<Field<String>>| field.as_ref().map(|field| field.value.clone());
        Listed {
            file,
            line,
            column,
            id: value(&case.id).unwrap_or_default(),
            category: value(&case.category).unwrap_or_else(|| "general".to_owned()),
            prompt: value(&case.prompt).unwrap_or_default(),
            range: text.line_range(span),
        }
    }

    fn line(&self) -> String {
        // A tab or a line break in a value would split it.
        let cell =
            |text: &str| -> String { text.chars().map(|c| if c.is_whitespace() { ' ' } else { visible(c) }).collect() };
        let [id, category] = [&self.id, &self.category].map(|name| visible_start(&cell(name), SHOWN_ID));
        [id, category, cell(&self.prompt)].join("\t")
    }
}
