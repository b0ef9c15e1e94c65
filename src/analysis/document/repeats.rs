use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::suite::Case;
use crate::text::alike;

/// Whether cases repeat the id or the prompt of another, kept from edit to edit.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    ids: Tally,
    prompts: Tally,
}

impl Repeats {
    pub(super) fn add(&mut self, case: &Case) {
        self.ids.add(id(case));
        self.prompts.add(case.question);
    }

    pub(super) fn remove(&mut self, case: &Case) {
        self.ids.remove(id(case));
        self.prompts.remove(case.question);
    }

    /// Whether two ids are the same or look alike. Two different ids may have the same hash.
    pub(super) fn has_ids(&self) -> bool {
        self.ids.repeated > 0
    }

    /// Whether two cases ask the same.
    pub(super) fn has_prompts(&self) -> bool {
        self.prompts.repeated > 0
    }
}

fn id(case: &Case) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    alike(&case.id.as_ref()?.value).hash(&mut hasher);
    Some(hasher.finish())
}

/// How often each hash occurs.
#[derive(Clone, Debug, Default)]
struct Tally {
    counts: HashMap<u64, u32>,
    /// The number of hashes that occur more than once.
    repeated: usize,
}

impl Tally {
    fn add(&mut self, hash: Option<u64>) {
        let Some(hash) = hash else { return };
        let count = self.counts.entry(hash).or_default();
        *count += 1;
        self.repeated += usize::from(*count == 2);
    }

    fn remove(&mut self, hash: Option<u64>) {
        let Some(hash) = hash else { return };
        let Some(count) = self.counts.get_mut(&hash) else { return };
        *count -= 1;
        self.repeated -= usize::from(*count == 1);
        if *count == 0 {
            self.counts.remove(&hash);
        }
    }
}
