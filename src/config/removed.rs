/// Commands, options and keys of earlier versions, each with what to do now.
const REMOVED: [(&str, &str); 2] = [
    ("--watch", "an editor judges at each change; or type `watchexec --watch evals -- eval-ls run`"),
    ("answer_key", "keep the answers out of the target's reach, see `docs/answer-key.md`"),
];

/// The help for a command, an option or a key that this version does not know, if an earlier one had it.
pub(crate) fn removed(name: &str) -> Option<String> {
    let (_, instead) = REMOVED.iter().find(|(removed, _)| *removed == name)?;
    Some(format!("it was removed; {instead}"))
}
