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
}

impl<Q, A> Default for Memo<Q, A> {
    fn default() -> Self {
        Self { last: Mutex::new(None) }
    }
}
