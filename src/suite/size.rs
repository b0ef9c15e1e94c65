use crate::syntax::most_nodes;

/// The memory for a node of a suite's tree with its share of the model, in bytes.
const OF_NODE: u64 = 280;

/// No less than the memory that a suite with this text takes, in bytes. Known before the text is parsed.
pub(crate) fn memory_of(text: &str) -> u64 {
    2 * text.len() as u64 + OF_NODE * most_nodes(text) as u64
}
