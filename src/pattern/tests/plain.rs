use pcre2_sys as sys;

use crate::pattern::Case;
use crate::pattern::budget::{Cost, Meter};
use crate::pattern::ffi::{Attempt, Code, Scratch};

/// PCRE2 with the options of ripgrep, without callouts and without the second engine.
pub(crate) struct Plain(Code);

impl Plain {
    /// Compiles `source` as it is. Returns `None` if PCRE2 does not.
    pub(crate) fn compile(source: &str, case: Case) -> Option<Plain> {
        let case = if case == Case::Ignored { sys::PCRE2_CASELESS } else { 0 };
        let options = sys::PCRE2_UCP | sys::PCRE2_MULTILINE | case;
        Code::compile(source, options, |_| Cost { item: 1, compares_groups: false }).ok().map(Plain)
    }

    /// The first match from byte `from` on: its start and end. `Err` if PCRE2 reaches ripgrep's limits.
    pub(crate) fn find(&self, line: &str, from: usize) -> Result<Option<(usize, usize)>, ()> {
        /// The default of PCRE2, which ripgrep uses.
        const MATCH_LIMIT: u32 = 10_000_000;
        let mut meter = Meter::new(u64::MAX, self.0.cost());
        match Scratch::new(u32::MAX).run(&self.0, line, from, MATCH_LIMIT, &mut meter) {
            Attempt::Match(start, end) => Ok(Some((start, end))),
            Attempt::NoMatch => Ok(None),
            Attempt::Stopped | Attempt::Error(_) => Err(()),
        }
    }

    /// How many groups capture.
    pub(crate) fn captures(&self) -> u32 {
        self.0.captures()
    }
}
