use std::sync::{Mutex, PoisonError};

/// The last answer to a question, kept for as long as the question stays the same.
#[derive(Debug)]
pub(super) struct Memo<Q, A> {
    last: Mutex<Option<(Q, A)>>,
}

impl<Q, A: Clone> Memo<Q, A> {
    /// The answer, worked out by `answer` unless the last question was the `same`.
    pub(super) fn get(&self, question: Q, same: impl FnOnce(&Q, &Q) -> bool, answer: impl FnOnce(&Q) -> A) -> A {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, kept)) = &*last
            && same(known, &question)
        {
            return kept.clone();
        }
        let found = answer(&question);
        *last = Some((question, found.clone()));
        found
    }

    /// The answer, where it is known and nobody is working out another one.
    pub(super) fn known(&self, question: &Q, same: impl FnOnce(&Q, &Q) -> bool) -> Option<A> {
        let last = self.last.try_lock().ok()?;
        last.as_ref().filter(|(known, _)| same(known, question)).map(|(_, kept)| kept.clone())
    }

    /// The answer to whatever was asked last. Waits for nobody: where it is being worked out there is none.
    pub(super) fn last(&self) -> Option<A> {
        self.last.try_lock().ok()?.as_ref().map(|(_, kept)| kept.clone())
    }
}

impl<Q, A> Default for Memo<Q, A> {
    fn default() -> Self {
        Self { last: Mutex::new(None) }
    }
}
