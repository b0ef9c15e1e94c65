use std::collections::BTreeMap;
use std::path::{Component, Path};

use super::section::Section;
use super::steps::{self, argument_vector};
use crate::config::model::REPLAY;
use crate::config::target::{
    BrowserTarget, ChatInput, CommandTarget, ResponseFrom, Screenshots, SendButton, TelemetryKey,
};
use crate::config::{Config, ConfigError, Precondition, PreconditionCheck, TargetConfig, TargetKind, web_address};
use crate::diagnostic::{nearest, quoted};
use crate::text::Span;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Replay,
    Command,
    Browser,
}

pub(crate) const KINDS: [(&str, Kind); 3] =
    [("command", Kind::Command), ("browser", Kind::Browser), ("replay", Kind::Replay)];

const COMMAND_KEYS: [&str; 6] = ["kind", "timeout", "command", "cwd", "env", "pass_env"];
const BROWSER_KEYS: [&str; 20] = [
    "kind",
    "timeout",
    "url",
    "space_url",
    "chat_input",
    "send",
    "busy",
    "busy_selector",
    "settle_selector",
    "ignore_selector",
    "settle",
    "telemetry_log",
    "telemetry_key",
    "before",
    "between",
    "after",
    "response",
    "response_selector",
    "screenshots",
    "allow",
];

/// The most targets of a configuration. A person selects one by name.
const MOST_TARGETS: usize = 200;

/// Reads `[targets]` without the targets that have an error, and checks that the target of `[run]` exists.
pub(super) fn read(root: &mut Section<'_, '_, '_>, config: &mut Config) {
    let mut names = vec![REPLAY];
    if let Some(value) = root.get("targets")
        && let Some(table) = root.errors.table("targets", value)
    {
        for (number, (key, value)) in table.iter().enumerate() {
            let name: &str = key.get_ref();
            names.push(name);
            if number >= MOST_TARGETS {
                let message = format!("more than {MOST_TARGETS} targets; the rest is ignored");
                root.errors.report(ConfigError::new(key.span().into(), message));
                break;
            }
            let Some(table) = root.errors.table(name, value) else { continue };
            let kind = table.get("kind").and_then(|kind| kind.get_ref().as_str());
            let kind = KINDS.into_iter().find(|(word, _)| Some(*word) == kind).map(|(_, kind)| kind);
            let place = quoted(&format!("[targets.{name}]"));
            let section = Section::new(table, value.span().into(), &place, &known_keys(kind), root.errors);
            if let Some(mut target) = one(section, name, key.span().into()) {
                target.preconditions = checkable(&target.kind, &config.preconditions);
                config.targets.insert(name.to_owned(), target);
            }
        }
    }
    let run = root.get("run").and_then(|run| run.get_ref().as_table());
    let Some(wanted) = run.and_then(|run| run.get("target")) else { return };
    if let Some(name) = wanted.get_ref().as_str().filter(|name| !name.is_empty() && !names.contains(name)) {
        let error = ConfigError::new(wanted.span().into(), format!("the target {} does not exist", quoted(name)));
        root.errors.report_absent(match nearest(name, names) {
            Some(meant) => error.did_you_mean(meant, crate::config::quote::toml_string(meant)),
            None => error.help(format!("define it under {}", quoted(&format!("[targets.{name}]")))),
        });
    }
}

/// Returns the checks that a target of that kind can make.
fn checkable(kind: &TargetKind, preconditions: &BTreeMap<String, Precondition>) -> BTreeMap<String, PreconditionCheck> {
    let can_be_made = |check: &PreconditionCheck| match kind {
        TargetKind::Replay => false,
        TargetKind::Command(_) => matches!(check, PreconditionCheck::Command(_)),
        TargetKind::Browser(_) => true,
    };
    let checks = preconditions.iter().filter(|(_, precondition)| can_be_made(&precondition.check));
    checks.map(|(text, precondition)| (text.clone(), precondition.check.clone())).collect()
}

/// Returns the keys of that kind. If the kind is wrong, returns the keys of all kinds, because only the kind is
/// reported then.
fn known_keys(kind: Option<Kind>) -> Vec<&'static str> {
    match kind {
        Some(Kind::Replay) => vec!["kind"],
        Some(Kind::Command) => COMMAND_KEYS.to_vec(),
        Some(Kind::Browser) => BROWSER_KEYS.to_vec(),
        None => [&COMMAND_KEYS[..], &BROWSER_KEYS[..]].concat(),
    }
}

fn one(mut section: Section<'_, '_, '_>, name: &str, span: Span) -> Option<TargetConfig> {
    let kind = section.one_of("kind", &KINDS);
    let kind = section.required("kind", kind)?;
    if name == REPLAY && kind != Kind::Replay {
        let error = ConfigError::new(span, "the target `replay` is built in and can only be of the kind `replay`");
        section.errors.report(error.help("give this one another name"));
    }
    let timeout = section.duration("timeout");
    let kind = match kind {
        Kind::Replay => Some(TargetKind::Replay),
        Kind::Command => command(&mut section).map(TargetKind::Command),
        Kind::Browser => browser(&mut section).map(|browser| TargetKind::Browser(Box::new(browser))),
    };
    let target = TargetConfig { span: Some(span), kind: kind?, timeout, preconditions: BTreeMap::new() };
    section.is_sound().then_some(target)
}

fn command(section: &mut Section<'_, '_, '_>) -> Option<CommandTarget> {
    let command = argument_vector(section);
    let command = section.required("command", command);
    let pass_env = section.strings("pass_env").unwrap_or_default();
    for (name, span) in &pass_env {
        variable_name(section, name, *span);
    }
    let pass_env = pass_env.into_iter().map(|(name, _)| name.to_owned()).collect();
    Some(CommandTarget { cwd: cwd(section), env: env(section), pass_env, command: command? })
}

/// Links are followed when the program starts.
fn cwd(section: &mut Section<'_, '_, '_>) -> Option<String> {
    let (text, span) = section.string("cwd")?;
    let text = section.not_empty("cwd", text, span)?;
    if !Path::new(&text).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        let message = format!("expected a folder below that of eval-ls.toml for `cwd`, found {}", quoted(&text));
        section.errors.report(ConfigError::new(span, message).help("write a relative path without `..`"));
        return None;
    }
    Some(text)
}

fn env(section: &mut Section<'_, '_, '_>) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::new();
    let Some(value) = section.get("env") else { return variables };
    let Some(table) = section.errors.table("env", value) else { return variables };
    let mut section = Section::of_any_keys(table, value.span().into(), section.errors);
    for name in table.keys() {
        variable_name(&mut section, name.get_ref(), name.span().into());
        if let Some((text, _)) = section.string(name.get_ref()) {
            variables.insert(name.get_ref().to_string(), text.to_owned());
        }
    }
    variables
}

fn variable_name(section: &mut Section<'_, '_, '_>, name: &str, span: Span) {
    if name.is_empty() || name.contains(['=', '\0']) {
        let message = format!("{} cannot be the name of an environment variable", quoted(name));
        section.errors.report(ConfigError::new(span, message));
    }
}

fn browser(section: &mut Section<'_, '_, '_>) -> Option<BrowserTarget> {
    let url = address(section, "url");
    let url = section.required("url", url);
    Some(BrowserTarget {
        space_url: address(section, "space_url"),
        chat_input: chat_input(section),
        send: send(section),
        busy: section.texts("busy"),
        busy_selector: section.text("busy_selector"),
        settle_selector: section.text("settle_selector"),
        ignore_selector: section.text("ignore_selector"),
        settle: section.duration("settle").unwrap_or(BrowserTarget::SETTLE),
        telemetry_log: section.text("telemetry_log"),
        telemetry_key: telemetry_key(section),
        before: steps::read(section, "before"),
        between: steps::read(section, "between"),
        after: steps::read(section, "after"),
        response: section.one_of("response", &ResponseFrom::WORDS).unwrap_or_default(),
        response_selector: section.text("response_selector"),
        screenshots: section
            .one_of("screenshots", &[("never", Screenshots::Never), ("failed", Screenshots::Failed)])
            .unwrap_or_default(),
        allow: section.texts("allow"),
        url: url?,
    })
}

fn chat_input(section: &mut Section<'_, '_, '_>) -> ChatInput {
    let mut input = ChatInput::default();
    if let Some(mut section) = section.section("chat_input", &["role", "name"]) {
        input.role = section.text("role").unwrap_or(input.role);
        input.name = section.text("name");
    }
    input
}

fn telemetry_key(section: &mut Section<'_, '_, '_>) -> TelemetryKey {
    let has_log = section.get("telemetry_log").is_some();
    let Some(mut section) = section.section("telemetry_key", &["header", "storage"]) else {
        return TelemetryKey::default();
    };
    if let Some((name, span)) = section.string("header")
        && !is_header_name(name)
    {
        let message = format!("{} cannot be the name of a header", quoted(name));
        let help = "write letters, digits and `-`, as in `X-Eval-Case`";
        section.errors.report(ConfigError::new(span, message).help(help));
    }
    let key = TelemetryKey { header: section.text("header"), storage: section.text("storage") };
    if section.is_sound() && key.is_empty() {
        let error = ConfigError::new(section.head, "`telemetry_key` has neither `header` nor `storage`");
        section.errors.report_absent(error.help("give `header` or `storage`, as in `{ header = \"X-Eval-Case\" }`"));
    }
    if !has_log {
        let error = ConfigError::new(section.head, "`telemetry_key` has no effect without `telemetry_log`");
        section.errors.report_absent(error.help("name the app's log under `telemetry_log`, or remove the key"));
    }
    key
}

/// A token of RFC 9110.
fn is_header_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
}

fn send(section: &mut Section<'_, '_, '_>) -> Option<SendButton> {
    let mut section = section.section("send", &["role", "name"])?;
    Some(SendButton { role: section.text("role").unwrap_or_else(|| "button".to_owned()), name: section.text("name") })
}

fn address(section: &mut Section<'_, '_, '_>, key: &str) -> Option<String> {
    let (text, span) = section.string(key)?;
    if web_address(text).is_none() {
        let message = format!("expected an address with `http://` or `https://` for `{key}`, found {}", quoted(text));
        section.errors.report(ConfigError::new(span, message));
        return None;
    }
    Some(text.to_owned())
}
