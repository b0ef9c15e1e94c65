use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The results of `work` for all items, in their order. At most `jobs` threads work, the calling one included. A thread that the
/// system does not start is missing, and the others do its work.
pub(super) fn parallel<T: Sync, R: Send + Sync>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let results: Vec<OnceLock<R>> = items.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let some = || {
        while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < items.len()) {
            let _ = results[index].set(work(&items[index]));
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.min(items.len()) {
            let _ = thread::Builder::new().spawn_scoped(scope, some);
        }
        some();
    });
    results.into_iter().map(|result| result.into_inner().expect("each item is taken once")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        for jobs in [0, 1, 3, 200] {
            assert_eq!(parallel(&items, jobs, |item| item * 2), (0..200).step_by(2).collect::<Vec<_>>());
        }
        assert!(parallel(&[], 4, |item: &usize| *item).is_empty());
    }
}
