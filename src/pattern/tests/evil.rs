use super::{compile, untimed};
use crate::pattern::{Case, OverBudget};

#[test]
fn what_backtracks_without_end_is_given_up() {
    let pattern = compile("(a+)+$", Case::Ignored);
    let budget = untimed();
    let mut matches = pattern.matches("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", &budget);
    assert_eq!(matches.next(), Some(Err(OverBudget::Steps)));
    assert_eq!(matches.steps_left(), 0);
    assert_eq!(matches.next(), None);
}
