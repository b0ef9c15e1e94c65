//! The keys of `eval-ls.toml`, and what their values must be. A test compares them with the published schema.

use crate::config::challenge::CaseGlob;
use crate::config::{Keep, MOST_JOBS, MOST_REPEATS};

use super::check::{Keys, Kind, Rule};
use super::entries;

/// The sections that are lists of tables.
pub(super) const LISTS: [&str; 4] = ["preconditions", "ui_hints", "allow", "policy"];

/// How often a case may be retried. A target that needs more is broken.
const MOST_RETRIES: usize = 10;

/// The words for levels.
pub(in crate::config) const LEVEL: Kind = Kind::Word(&["error", "warning", "hint", "off"]);

/// Phrases, at least one.
pub(in crate::config) const PHRASES: Kind = Kind::List("strings", &TEXT, entries::not_empty_list);

const STRING: Kind = Kind::Text(entries::any);
const TEXT: Kind = Kind::Text(entries::not_empty);
const IDS: Kind = Kind::Text(entries::parsed::<CaseGlob>);
const ADDRESS: Kind = Kind::Text(entries::address);
const FOLDER: Kind = Kind::Text(entries::relative);
const STRINGS: Kind = Kind::List("strings", &STRING, entries::any_list);
const TEXTS: Kind = Kind::List("strings", &TEXT, entries::any_list);
const PROGRAM: Kind = Kind::List("strings", &STRING, entries::program);
const STEP: Kind = Kind::List("strings", &STRING, entries::step);
const STEPS: Kind = Kind::List("steps (lists of strings)", &STEP, entries::any_list);

/// The file.
pub(in crate::config) const ROOT: Keys<'_> = Keys::of(&[
    (Kind::Table(&FILES), &["files"]),
    (Kind::Table(&RUN), &["run"]),
    (Kind::Table(&SCORING), &["scoring"]),
    (Kind::Other, &["targets", "preconditions", "ui_hints", "sources"]),
    (Kind::Table(&TOOLS), &["tools"]),
    (Kind::Other, &["lints", "allow", "policy"]),
    (Kind::Table(&CHALLENGE), &["challenge"]),
]);

const FILES: Keys<'_> = Keys::of(&[(STRINGS, &["include", "exclude"])]);

const RUN: Keys<'_> = Keys::of(&[
    (TEXT, &["target"]),
    (Kind::Whole(1, MOST_JOBS), &["jobs"]),
    (Kind::Duration, &["timeout"]),
    (Kind::Whole(0, MOST_RETRIES), &["retry_errors"]),
    (FOLDER, &["results", "transcripts"]),
    (Kind::Text(entries::parsed::<Keep>), &["keep"]),
    (Kind::Names(entries::any, &STRING), &["labels"]),
    (Kind::Word(&["warn", "fail", "ignore"]), &["stale"]),
    (Kind::Word(&["fail", "pass"]), &["flaky"]),
]);

const SCORING: Keys<'_> =
    Keys::of(&[(Kind::Boolean, &["prompt_counts"]), (Kind::Word(&["written", "plain"]), &["reading"])]);

const TOOLS: Keys<'_> = Keys::of(&[(TEXTS, &["known"])]);

const CHALLENGE: Keys<'_> =
    Keys::of(&[(STRINGS, &["answers"]), (Kind::Other, &["levels", "exceptions", "rewrites"]), (TEXT, &["control"])]);

/// `[[challenge.exceptions]]`.
pub(in crate::config) const EXCEPTION: Keys<'_> = Keys {
    groups: &[(IDS, &["cases"]), (STRINGS, &["challenges"]), (TEXT, &["reason"])],
    required: &["cases", "reason"],
    rules: &[],
};

/// `[[challenge.rewrites]]`.
pub(in crate::config) const REWRITE: Keys<'_> = Keys {
    groups: &[(Kind::Text(entries::rewrite), &["name"]), (STRING, &["pattern", "replacement"])],
    required: &["name", "pattern", "replacement"],
    rules: &[],
};

/// `[[allow]]`.
pub(in crate::config) const ALLOW: Keys<'_> = Keys {
    groups: &[(STRING, &["lint"]), (IDS, &["cases"]), (STRINGS, &["files"]), (TEXT, &["reason"])],
    required: &["lint", "reason"],
    rules: &[Rule::AnyOf(
        &["cases", "files"],
        "this entry names neither `cases` nor `files`",
        "to turn a lint off everywhere, set its level under `[lints]`",
    )],
};

/// `[[policy]]`.
pub(in crate::config) const POLICY: Keys<'_> = Keys {
    groups: &[
        (IDS, &["cases", "category"]),
        (Kind::Whole(1, MOST_REPEATS), &["repeat"]),
        (Kind::Whole(1, usize::MAX), &["min_pass"]),
        (Kind::Text(entries::is_day), &["expires"]),
        (TEXT, &["why"]),
    ],
    required: &["repeat"],
    rules: &[
        Rule::AnyOf(
            &["cases", "category"],
            "this entry names neither `cases` nor `category`",
            "`cases = \"*\"` means all cases",
        ),
        Rule::Needs("expires", "why", "give the reason for the entry"),
        Rule::Needs("why", "expires", "give the first day on which the entry has no effect"),
    ],
};

/// `[[preconditions]]`.
pub(in crate::config) const PRECONDITION: Keys<'_> = Keys {
    groups: &[
        (TEXT, &["text"]),
        (Kind::List("steps (lists of strings)", &STEP, entries::not_empty_list), &["steps"]),
        (PROGRAM, &["command"]),
    ],
    required: &["text"],
    rules: &[
        Rule::AnyOf(
            &["steps", "command"],
            "the precondition has neither `steps` nor `command`",
            "give `steps` on the page, or a `command` that ends with status 0",
        ),
        Rule::NotBoth("steps", "command"),
    ],
};

/// `[[ui_hints]]`.
pub(in crate::config) const UI_HINT: Keys<'_> = Keys {
    groups: &[
        (TEXT, &["hint"]),
        (TEXTS, &["all", "any"]),
        (Kind::Whole(1, usize::MAX), &["at_least"]),
        (Kind::List("lists of phrases such as `[\"A\", \"B\"]`", &PHRASES, entries::any_list), &["all_of"]),
        (Kind::List("strings", &Kind::Text(entries::pattern), entries::any_list), &["matches"]),
        (TEXTS, &["none"]),
    ],
    required: &["hint"],
    rules: &[Rule::AnyOf(
        &["all", "any", "all_of", "matches", "none"],
        "the hint has no condition, so it is not defined",
        "give phrases in `all`, `any`, `all_of` or `none`, or patterns in `matches`",
    )],
};

/// The keys of targets of each kind. The kind `replay` has no other key.
pub(in crate::config) const TARGETS: [(&str, Keys<'_>); 3] = [
    ("command", Keys { groups: COMMAND, required: &["kind", "command"], rules: &[] }),
    (
        "browser",
        Keys {
            groups: BROWSER,
            required: &["kind", "url"],
            rules: &[Rule::Needs(
                "telemetry_key",
                "telemetry_log",
                "name the app's log under `telemetry_log`, or remove the key",
            )],
        },
    ),
    ("replay", Keys { groups: &[(KIND, &["kind"])], required: &["kind"], rules: &[] }),
];

const KIND: Kind = Kind::Word(&["command", "browser", "replay"]);

const COMMAND: &[(Kind, &[&str])] = &[
    (KIND, &["kind"]),
    (Kind::Duration, &["timeout"]),
    (PROGRAM, &["command"]),
    (Kind::Text(entries::below), &["cwd"]),
    (Kind::Names(entries::variable, &STRING), &["env"]),
    (Kind::List("strings", &Kind::Text(entries::variable), entries::any_list), &["pass_env"]),
];

const BROWSER: &[(Kind, &[&str])] = &[
    (KIND, &["kind"]),
    (Kind::Duration, &["timeout"]),
    (ADDRESS, &["url", "space_url"]),
    (Kind::Table(&ELEMENT), &["chat_input", "send"]),
    (TEXTS, &["busy"]),
    (TEXT, &["busy_selector", "settle_selector", "ignore_selector"]),
    (Kind::Duration, &["settle"]),
    (TEXT, &["telemetry_log"]),
    (Kind::Table(&TELEMETRY_KEY), &["telemetry_key"]),
    (STEPS, &["before", "between", "after"]),
    (Kind::Word(&["snapshot", "aria", "text", "reply"]), &["response"]),
    (TEXT, &["response_selector"]),
    (Kind::Word(&["never", "failed"]), &["screenshots"]),
    (TEXTS, &["allow"]),
];

const ELEMENT: Keys<'_> = Keys::of(&[(TEXT, &["role", "name"])]);

const TELEMETRY_KEY: Keys<'_> = Keys {
    groups: &[(Kind::Text(entries::header), &["header"]), (TEXT, &["storage"])],
    required: &[],
    rules: &[Rule::AnyOf(
        &["header", "storage"],
        "`telemetry_key` has neither `header` nor `storage`",
        "give `header` or `storage`, as in `{ header = \"X-Eval-Case\" }`",
    )],
};
