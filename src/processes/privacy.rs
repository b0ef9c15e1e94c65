/// Hides the environment and the memory of this process from other programs of the same user, such as those that it starts. Only
/// Linux can; it then writes no dump of the memory either.
pub(crate) fn hide_from_programs() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        // A system that forbids it leaves everything as it was. Answers are redacted then, too.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::{DumpableBehavior, dumpable_behavior, set_dumpable_behavior};

    #[test]
    fn the_environment_is_hidden_from_programs() {
        let before = dumpable_behavior().unwrap();
        super::hide_from_programs();
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
        set_dumpable_behavior(before).unwrap();
    }
}
