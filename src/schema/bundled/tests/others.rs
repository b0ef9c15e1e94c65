//! Small configurations, transcripts and results: what is taken, and what is refused, where and by which keyword.

use serde_json::{Value, json};

use super::SchemaName::{Config, Result as RunResult, Transcript};
use super::{check, with};

/// A configuration with one command target that has these keys too.
fn command(more: Value) -> Value {
    json!({ "targets": { "agent": with(json!({ "kind": "command", "command": ["agent"] }), more) } })
}

/// A configuration with one browser target that has these keys too.
fn browser(more: Value) -> Value {
    json!({ "targets": { "app": with(json!({ "kind": "browser", "url": "http://localhost:1" }), more) } })
}

#[test]
fn configurations_that_are_taken() {
    for document in [
        json!({}),
        json!({ "files": { "include": ["a/*.json"], "exclude": [] }, "sources": { "inventory": ["in stock"] } }),
        json!({ "run": { "target": "app", "jobs": 2, "timeout": "500ms", "results": "out", "transcripts": "kept" } }),
        json!({ "targets": { "kept": { "kind": "replay" } } }),
        command(json!({ "env": { "MODE": "eval" }, "pass_env": ["KEY"] })),
        browser(json!({})),
        browser(json!({ "chat_input": { "role": "textbox", "name": "Ask" }, "timeout": "1.5m" })),
        browser(json!({ "busy": ["Thinking..."], "settle": "3s", "telemetry_log": "app.log" })),
        browser(json!({ "before": [["press", "Escape"]], "response": "text", "response_selector": "main" })),
        browser(
            json!({ "screenshots": "failed", "allow": ["http://localhost:1"], "space_url": "http://localhost:1/s" }),
        ),
        json!({ "ui_hints": [{ "hint": "h" }, { "hint": "i", "all": ["a"], "any": ["b"], "at_least": 1, "none": [] }] }),
        json!({ "ui_hints": [{ "hint": "h", "all_of": [["a", "b"], ["c"]], "matches": ["\\d"] }] }),
        json!({ "scoring": { "prompt_counts": false }, "run": { "retry_errors": 10 } }),
        json!({ "preconditions": [{ "text": "t", "steps": [["?", "click", "a"]] }, { "text": "u", "command": ["a"] }] }),
        browser(json!({ "between": [["?", "press", "a"]], "after": [["back"]] })),
        browser(json!({ "telemetry_log": "app.log", "telemetry_key": { "header": "X-Case", "storage": "case" } })),
        json!({ "lints": { "empty-string": "off", "vacuous-case": "error", "unknown-key": "hint" } }),
    ] {
        check(Config, &document, &[]);
    }
}

#[test]
fn configurations_that_are_refused() {
    for (document, at, keyword) in [
        (json!({ "runs": {} }), "", "additionalProperties"),
        (json!({ "files": { "includes": [] } }), "/files", "additionalProperties"),
        (json!({ "files": { "include": "*.json" } }), "/files/include", "type"),
        (json!({ "run": { "jobs": 0 } }), "/run/jobs", "minimum"),
        (json!({ "run": { "jobs": 1.5 } }), "/run/jobs", "type"),
        (json!({ "run": { "timeout": 60 } }), "/run/timeout", "type"),
        (json!({ "run": { "timeout": "60" } }), "/run/timeout", "pattern"),
        (json!({ "run": { "timeout": "1 m" } }), "/run/timeout", "pattern"),
        (json!({ "run": { "timeout": "0.0s" } }), "/run/timeout", "pattern"),
        (json!({ "targets": [] }), "/targets", "type"),
        (json!({ "targets": { "agent": { "command": ["agent"] } } }), "/targets/agent", "required"),
        (json!({ "targets": { "agent": { "kind": "shell" } } }), "/targets/agent/kind", "enum"),
        (json!({ "targets": { "agent": { "kind": "command" } } }), "/targets/agent", "required"),
        (json!({ "targets": { "kept": { "kind": "replay", "url": "http://a" } } }), "/targets/kept/url", "falseSchema"),
        (command(json!({ "shell": true })), "/targets/agent", "additionalProperties"),
        (command(json!({ "command": "agent --fast" })), "/targets/agent/command", "type"),
        (command(json!({ "command": [] })), "/targets/agent/command", "minItems"),
        (command(json!({ "env": { "N": 1 } })), "/targets/agent/env/N", "type"),
        (command(json!({ "settle": "3s" })), "/targets/agent/settle", "falseSchema"),
        (command(json!({ "pass_env": ["A=B"] })), "/targets/agent/pass_env/0", "pattern"),
        (command(json!({ "env": { "A=B": "1" } })), "/targets/agent/env", "propertyNames"),
        (json!({ "targets": { "app": { "kind": "browser" } } }), "/targets/app", "required"),
        (browser(json!({ "url": "localhost:1" })), "/targets/app/url", "pattern"),
        (browser(json!({ "chat_input": { "label": "Ask" } })), "/targets/app/chat_input", "additionalProperties"),
        (browser(json!({ "command": ["agent"] })), "/targets/app/command", "falseSchema"),
        (browser(json!({ "settle": "soon" })), "/targets/app/settle", "pattern"),
        (browser(json!({ "before": ["press Escape"] })), "/targets/app/before/0", "type"),
        (browser(json!({ "before": [[]] })), "/targets/app/before/0", "minItems"),
        (browser(json!({ "response": "html" })), "/targets/app/response", "enum"),
        (browser(json!({ "screenshots": "always" })), "/targets/app/screenshots", "enum"),
        (json!({ "ui_hints": [{ "all": ["a"] }] }), "/ui_hints/0", "required"),
        (json!({ "ui_hints": [{ "hint": "h", "every": [] }] }), "/ui_hints/0", "additionalProperties"),
        (json!({ "ui_hints": [{ "hint": "h", "at_least": 0 }] }), "/ui_hints/0/at_least", "minimum"),
        (json!({ "ui_hints": [{ "hint": "" }] }), "/ui_hints/0/hint", "minLength"),
        (json!({ "ui_hints": [{ "hint": "h", "all_of": ["a"] }] }), "/ui_hints/0/all_of/0", "type"),
        (json!({ "ui_hints": [{ "hint": "h", "all_of": [[]] }] }), "/ui_hints/0/all_of/0", "minItems"),
        (json!({ "scoring": { "prompt_counts": 0 } }), "/scoring/prompt_counts", "type"),
        (json!({ "run": { "retry_errors": 11 } }), "/run/retry_errors", "maximum"),
        (json!({ "preconditions": [{ "text": "t" }] }), "/preconditions/0", "oneOf"),
        (
            json!({ "preconditions": [{ "text": "t", "command": ["a"], "steps": [["a"]] }] }),
            "/preconditions/0",
            "oneOf",
        ),
        (browser(json!({ "telemetry_key": {} })), "/targets/app/telemetry_key", "minProperties"),
        (browser(json!({ "telemetry_key": { "header": "a b" } })), "/targets/app/telemetry_key/header", "pattern"),
        (command(json!({ "after": [["back"]] })), "/targets/agent/after", "falseSchema"),
        (json!({ "sources": { "inventory": "in stock" } }), "/sources/inventory", "type"),
        (json!({ "sources": { "inventory": [] } }), "/sources/inventory", "minItems"),
        (json!({ "lints": { "unique-ids": "off" } }), "/lints", "additionalProperties"),
        (json!({ "lints": { "empty-string": "info" } }), "/lints/empty-string", "enum"),
    ] {
        check(Config, &document, &[(at, keyword)]);
    }
}

/// A transcript with these keys beside, or in place of, the required ones.
fn transcript(more: Value) -> Value {
    with(json!({ "format": "eval-ls/transcript@1", "case": "BOOK1", "response": "Booked." }), more)
}

#[test]
fn transcripts() {
    for document in [
        transcript(json!({})),
        transcript(json!({ "target": "agent", "recorded_at": "2026-03-01T09:00:00Z", "duration_ms": 12, "note": 1 })),
        transcript(json!({ "prompt": "p", "setup_prompts": [] })),
        transcript(json!({
            "format": "eval-ls/transcript@2",
            "response_from": { "form": "aria", "selector": "#log" },
            "page": {
                "reply": "r",
                "after": { "snapshot": "s", "text": "t" },
                "before": { "aria": "b", "text": { "same_start": 1, "changed": "x", "same_end": 2 } },
            },
            "part": { "selector": "#log", "after": { "text": "t" }, "reply": "r" },
        })),
        transcript(
            json!({ "telemetry": [{ "source": "tool.book_repair", "event": "start" }, { "x": [1] }, "a line"] }),
        ),
    ] {
        check(Transcript, &document, &[]);
    }
    for (document, at, keyword) in [
        (json!({ "format": "eval-ls/transcript@1", "case": "BOOK1" }), "", "required"),
        (json!({ "case": "BOOK1", "response": "" }), "", "required"),
        (transcript(json!({ "format": "eval-ls/transcript@3" })), "/format", "enum"),
        (transcript(json!({ "response_from": {} })), "/response_from", "required"),
        (transcript(json!({ "response_from": { "form": "html" } })), "/response_from/form", "enum"),
        (transcript(json!({ "page": { "after": { "aria": 1 } } })), "/page/after/aria", "type"),
        (
            transcript(json!({ "page": { "before": { "aria": { "same_end": -1 } } } })),
            "/page/before/aria/same_end",
            "minimum",
        ),
        (transcript(json!({ "part": {} })), "/part", "required"),
        (transcript(json!({ "response": ["Booked."] })), "/response", "type"),
        (transcript(json!({ "telemetry": {} })), "/telemetry", "type"),
        (transcript(json!({ "telemetry": [1] })), "/telemetry/0", "type"),
        (transcript(json!({ "setup_prompts": "p" })), "/setup_prompts", "type"),
        (transcript(json!({ "duration_ms": -1 })), "/duration_ms", "minimum"),
    ] {
        check(Transcript, &document, &[(at, keyword)]);
    }
}

/// A result of one case that passed and one that could not be judged.
fn result() -> Value {
    let groups = json!({
        "tool_hygiene": 1, "synthesis_coverage": 1, "numeric_grounding": 1, "uncertainty": 1, "formatting": 0.5,
        "morning_brief_contract": 1
    });
    let detail = json!({
        "id": "must_say_any", "outcome": "passed", "message": "m", "suite": { "line": 3, "column": 9, "file": "f" },
        "evidence": [{ "line": 1, "column": 5, "text": "booked" }]
    });
    let metrics = json!({
        "synthesis": { "required_sources": [], "missing_sources": [], "missing_numbers": [] },
        "morning_brief": { "missing_checks": [] },
        "scoring": {
            "groups": groups, "hard_fail_triggered": [],
            "soft_score": { "value": 1, "threshold": null, "passed": true }
        }
    });
    let mut not_scored = metrics.clone();
    for (_, score) in not_scored["scoring"]["groups"].as_object_mut().expect("an object") {
        *score = json!(null);
    }
    not_scored["scoring"]["soft_score"] = json!({ "value": null, "threshold": 0.8, "passed": null });
    json!({
        "generated_at": "2026-03-01T09:00:02Z", "eval_file": "shop.eval-set.json", "session": "s1",
        "telemetry_log_path": null, "app_url": null, "space_url": "http://localhost:1/s", "made_by": "a test",
        "summary": { "pass": 1, "fail": 0, "partial": 0, "error": 1, "total": 2, "avg_soft_score": 1 },
        "cases": [
            {
                "id": "BOOK1", "prompt": "p", "expected_outcome": "response_only", "status": "PASS",
                "checks": { "passed": ["must_say_any"], "failed": [], "unknown_ui": [] },
                "check_details": [detail], "metrics": metrics, "snapshot_excerpt": ["Booked."]
            },
            {
                "id": "BOOK2", "prompt": "p", "expected_outcome": "none_such", "status": "ERROR", "reason": "timed out",
                "checks": { "passed": [], "failed": [], "unknown_ui": [] }, "metrics": not_scored, "snapshot_excerpt": []
            }
        ]
    })
}

#[test]
fn results() {
    check(RunResult, &result(), &[]);
    for (at, value, keyword) in [
        ("/summary/avg_soft_score", json!("1"), "type"),
        ("/summary/error", json!(-1), "minimum"),
        ("/session", json!(null), "type"),
        ("/cases/0/status", json!("pass"), "enum"),
        ("/cases/0/checks", json!({ "passed": [], "failed": [] }), "required"),
        ("/cases/0/check_details/0/outcome", json!("skipped"), "enum"),
        ("/cases/0/check_details/0/suite/line", json!(0), "minimum"),
        ("/cases/0/metrics/scoring/groups/formatting", json!(2), "maximum"),
        ("/cases/0/metrics/morning_brief", json!({}), "required"),
        ("/cases/0/snapshot_excerpt", json!(vec!["a line"; 41]), "maxItems"),
    ] {
        let mut document = result();
        *document.pointer_mut(at).expect("the result has it") = value;
        check(RunResult, &document, &[(at, keyword)]);
    }
    // The checks and the excerpt are required.
    let mut bare = result();
    bare["cases"][1] = json!({ "id": "BOOK2", "prompt": "p", "expected_outcome": "none_such", "status": "ERROR" });
    check(RunResult, &bare, &[("/cases/1", "required"); 2]);
}

#[test]
fn results_of_the_shell_runner_have_neither_scores_nor_errors() {
    let mut document = result();
    for key in ["error", "avg_soft_score"] {
        document["summary"].as_object_mut().expect("an object").remove(key);
    }
    for case in document["cases"].as_array_mut().expect("cases") {
        let case = case.as_object_mut().expect("an object");
        ["metrics", "check_details"].iter().for_each(|key| drop(case.remove(*key)));
    }
    check(RunResult, &document, &[]);
}
