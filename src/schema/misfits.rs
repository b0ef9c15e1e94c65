use std::collections::HashSet;

use crate::syntax::{Kind, Node};

use super::SchemaName;
use super::shape::Shape;

/// The number of violations of the newest schema in a suite or, if `is_case`, in a case. This is faster and coarser than the
/// validator: it ranks the candidates of a repair.
pub(crate) fn misfits(root: Node<'_>, is_case: bool) -> usize {
    let version = SchemaName::V0_3;
    let shape = if is_case { Shape::case(version) } else { Shape::suite(version) };
    let elsewhere: HashSet<&str> = [Shape::case(version), Shape::suite(version)]
        .into_iter()
        .chain(Shape::case(version).key("expected"))
        .flat_map(|shape| shape.keys().map(|key| key.name))
        .collect();
    count(root, shape, &elsewhere)
}

fn count(node: Node<'_>, shape: Shape, elsewhere: &HashSet<&str>) -> usize {
    if !shape.accepts_type_of(node) {
        return 2;
    }
    match node.kind() {
        Kind::Array => {
            let Some(element) = shape.element() else { return 0 };
            node.elements().map(|node| count(node, element, elsewhere)).sum()
        }
        Kind::Object => members(node, shape, elsewhere),
        Kind::String if shape.values().next().is_some() => {
            let text = node.as_str().unwrap_or_default();
            usize::from(!shape.values().any(|(value, _)| value == text))
        }
        _ => 0,
    }
}

fn members(object: Node<'_>, shape: Shape, elsewhere: &HashSet<&str>) -> usize {
    let mut keys = HashSet::new();
    let mut found = 0;
    for member in object.members() {
        let Some(key) = member.key.as_str() else { continue };
        let known = shape.key(&key);
        let is_misplaced = known.is_none() && (shape.is_closed() || elsewhere.contains(&*key) || !is_plain(&key));
        found += usize::from(is_misplaced && shape.keys().next().is_some());
        if let (Some(shape), Some(value)) = (known, member.value) {
            found += count(value, shape, elsewhere);
        }
        found += usize::from(!keys.insert(key));
    }
    found + shape.keys().filter(|key| key.is_required && !keys.contains(key.name)).count()
}

/// Whether a key looks like a name rather than like text.
fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.'))
}
