use std::sync::{Mutex, PoisonError};

/// Stores the last result together with the input it came from. A new input replaces both.
#[derive(Debug)]
pub(super) struct Memo<I, O> {
    last: Mutex<Option<(I, O)>>,
}

impl<I, O: Clone> Memo<I, O> {
    /// The result for `input`: the stored one if its input is the `same`, otherwise a new one from `compute`.
    pub(super) fn get(&self, input: I, same: impl FnOnce(&I, &I) -> bool, compute: impl FnOnce(&I) -> O) -> O {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, result)) = &*last
            && same(known, &input)
        {
            return result.clone();
        }
        let result = compute(&input);
        *last = Some((input, result.clone()));
        result
    }

    /// The stored result for `input`. `None` if there is none, or if another thread is computing one: this never waits.
    pub(super) fn known(&self, input: &I, same: impl FnOnce(&I, &I) -> bool) -> Option<O> {
        let last = self.last.try_lock().ok()?;
        last.as_ref().filter(|(known, _)| same(known, input)).map(|(_, result)| result.clone())
    }

    /// The stored result, whatever its input. `None` if another thread is computing one: this never waits.
    pub(super) fn last(&self) -> Option<O> {
        self.last.try_lock().ok()?.as_ref().map(|(_, result)| result.clone())
    }
}

impl<I, O> Default for Memo<I, O> {
    fn default() -> Self {
        Self { last: Mutex::new(None) }
    }
}
