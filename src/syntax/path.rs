use std::fmt;

use super::{Kind, Node};

/// The way from the root to a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Path(pub(crate) Vec<Step>);

/// One step down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// To the value of this key.
    Key(String),
    /// To the element with this index, from 0.
    Index(usize),
}

impl<'a> Node<'a> {
    /// The way here from the root. A member, and its key, have the path of their value.
    pub(crate) fn path(self) -> Path {
        let mut steps = Vec::new();
        let mut node = self;
        while let Some(parent) = node.parent() {
            match parent.kind() {
                Kind::Array => steps.push(Step::Index(parent.children().take_while(|child| *child != node).count())),
                Kind::Object => {
                    let key = node.as_member().and_then(|member| member.key.as_str());
                    steps.push(Step::Key(key.unwrap_or_default().into_owned()));
                }
                _ => {}
            }
            node = parent;
        }
        steps.reverse();
        Path(steps)
    }
}

impl fmt::Display for Path {
    /// As a JSON Pointer (RFC 6901).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| match step {
            Step::Key(key) => write!(f, "/{}", key.replace('~', "~0").replace('/', "~1")),
            Step::Index(index) => write!(f, "/{index}"),
        })
    }
}
