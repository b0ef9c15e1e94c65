/// Commands, options and keys of earlier versions, each with what to do now.
const REMOVED: [(&str, &str); 9] = [
    ("--watch", "an editor judges at each change; or type `watchexec --watch evals -- eval-ls run`"),
    ("--changed", "name the cases with `--cases`, or ask those that did not pass again with `--failed`"),
    ("--confirm", "to run a case several times, write `attempts` in a `[[policy]]`, or type `--repeat N`"),
    (
        "quarantine",
        "write `expires` and `why` in an entry of `[[policy]]`, with the `min_pass` that is enough until then",
    ),
    (
        "--coverage",
        "`challenge` names the wrong answers that a case passes, and `propose` the checks that an answer proves",
    ),
    ("add-target", "type `eval-ls init KIND`"),
    ("rescore", "`eval-ls run --answers-of RUN` judges the answers of a kept run again"),
    ("history", "`eval-ls runs CASE` shows how a case ended, run by run"),
    ("answer_key", "put the answers out of the target's reach, see `docs/program.md#hide-the-answers`"),
];

/// The help for a command, an option or a key that this version does not know, if an earlier one had it.
pub(crate) fn removed(name: &str) -> Option<String> {
    let (_, instead) = REMOVED.iter().find(|(removed, _)| *removed == name)?;
    Some(format!("it was removed; {instead}"))
}
