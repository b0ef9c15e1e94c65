use crate::diagnostic::{Finding, Severity, quoted};
use crate::suite::Suite;
use crate::text::Span;

use super::Move;

/// The name of the finding about what is stored for a case or a suite that does not exist.
const STRAY: &str = "stored-without-case";

/// What is stored beside a suite for a case that it does not have, or for a suite that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stray {
    /// The id of the case, or the name of the suite.
    pub(crate) name: String,
    /// Whether the name is that of a suite.
    pub(crate) is_of_suite: bool,
    /// Where it could belong; `None` if nothing is like it.
    pub(crate) home: Option<Home>,
    /// What is stored. The places are those after a move to `home`.
    pub(crate) moves: Vec<Move>,
    /// The same for people.
    pub(crate) shown: Vec<String>,
}

/// Where a stray could belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// To the case with that id, whose prompt is the one that is stored.
    SamePrompt(String),
    /// To the case with that id, which is much like the one that is stored.
    NearId(String),
    /// To the suite beside it, which has cases of these ids.
    Suite,
}

impl Stray {
    /// The id of the case to which it could belong.
    pub(crate) fn case(&self) -> Option<&str> {
        match &self.home {
            Some(Home::SamePrompt(id) | Home::NearId(id)) => Some(id),
            Some(Home::Suite) | None => None,
        }
    }

    /// The finding in the suite: at the case to which it could belong, else at the start.
    pub(crate) fn finding(&self, suite: &Suite) -> Finding {
        let (name, shown) = (quoted(&self.name), self.shown.join(", "));
        let (what, has) = if self.is_of_suite { ("suite", "name") } else { ("case", "id") };
        let remedy = match &self.home {
            Some(Home::SamePrompt(id)) => {
                format!("the case {} has the prompt of that answer: move it there, or delete it", quoted(id))
            }
            Some(Home::NearId(id)) => format!("the nearest id is {}: move it there, or delete it", quoted(id)),
            Some(Home::Suite) => "this suite has cases of the same ids: move it here, or delete it".to_owned(),
            None => format!("give a {what} this {has}, or delete it"),
        };
        let message = format!("no {what} has the {has} {name}, for which {shown} is stored; {remedy}");
        let home = self.case().and_then(|home| {
            suite.cases.iter().find_map(|placed| {
                let id = placed.case.id.as_ref().filter(|id| id.value == home)?;
                Some(placed.absolute(id.span))
            })
        });
        Finding::new(STRAY, Severity::Warning, home.unwrap_or(Span::empty(0)), message)
    }
}
