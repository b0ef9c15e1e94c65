use crate::syntax::Slot;

use super::scene::Scene;

/// The characters that trigger completion. Not every request gets an answer, see [`is_answered`].
pub(crate) const TRIGGER_CHARACTERS: [char; 3] = ['"', ':', ' '];

/// Whether to answer a request. A typed character must open something, so that a list does not pop up after a closing quote
/// or between the words of a prompt.
pub(super) fn is_answered(scene: &Scene<'_>) -> bool {
    let Some(trigger) = scene.context.trigger else { return true };
    let before = &scene.text()[..scene.offset];
    match trigger {
        '"' => scene.inside_string().is_some_and(|inside| inside.start == scene.offset),
        ':' => is_gap(scene) && before.ends_with(':'),
        ' ' => is_gap(scene) && before.ends_with(": ") && before.trim_end_matches(' ').len() + 1 == before.len(),
        _ => true,
    }
}

fn is_gap(scene: &Scene<'_>) -> bool {
    scene.is_blank() && matches!(scene.cursor.slot, Slot::Value(_))
}
