//! Suggests telemetry shorthands for the known tools.

use crate::suite::{Outcome, TelemetryEntry};

use super::{Candidate, CompletionKind, Documentation, Scene, Snippet, tools};

/// The maximum number of tools in suggestions. Each makes three entries.
const MAX_TOOLS: usize = 40;

/// The suggested entries, those with this case's tools first.
pub(super) fn entries(scene: &Scene<'_>) -> Vec<Candidate> {
    let forbidden: Vec<&str> = tools::names(&scene.case.expected.tool_calls_none).collect();
    // The first entries are about the tools of the case. To require others, too, comes after that.
    let listed: Vec<&str> = tools::names(&scene.case.expected.tool_calls_any).collect();
    let is_first = scene.case.expected.telemetry.as_ref().is_none_or(|list| list.value.is_empty());
    let is_allowed = |tool: &str| {
        if is_first && !listed.is_empty() && !listed.contains(&tool) {
            return false;
        }
        let is_name = TelemetryEntry::parse(&format!("tool.{tool} start")) == TelemetryEntry::Start { tool };
        is_name && !forbidden.contains(&tool)
    };
    let known = tools::known(scene).into_iter().filter(|(tool, _)| is_allowed(tool)).take(MAX_TOOLS);
    let mut candidates: Vec<Candidate> = known
        .flat_map(|(tool, known)| {
            forms(scene).map(move |form| {
                let entry = format!("tool.{tool} {form}");
                Candidate::string(&entry, CompletionKind::Tool).detail(known.detail())
            })
        })
        .collect();
    candidates.push(missing_field());
    candidates.retain(|candidate| !scene.has(&candidate.label));
    candidates
}

/// The shorthands for a tool, the one that matches the outcome first.
fn forms(scene: &Scene<'_>) -> impl Iterator<Item = &'static str> + use<> {
    const START: &str = "start";
    const SUCCESS: &str = "result success:true";
    const FAILURE: &str = "result success:false";
    let outcome = scene.case.expected.outcome.as_ref().and_then(|outcome| Outcome::from_name(&outcome.value));
    let forms: &[&str] = match outcome {
        Some(Outcome::ToolSuccess) => &[SUCCESS, START, FAILURE],
        Some(Outcome::GracefulError) => &[FAILURE, START, SUCCESS],
        // These outcomes fail if the tool succeeds.
        Some(Outcome::NeedsInput | Outcome::GracefulBlock) => &[START, FAILURE],
        _ => &[START, SUCCESS, FAILURE],
    };
    forms.iter().copied()
}

fn missing_field() -> Candidate {
    let text = "success:false with missingFields containing ";
    let json = Snippet::new(format!("\"{text}")).placeholder("field").text("\"");
    let documentation = Documentation::same("A result failed, and an event names the field as missing.");
    Candidate::new(&format!("{text}…"), CompletionKind::Tool, json).documentation(Some(documentation))
}
