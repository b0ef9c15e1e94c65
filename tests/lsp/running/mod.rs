//! Runs from the editor, with programs of several behaviours: they run, are stopped, are approved and are refused.

pub(crate) mod bench;
mod commands;
mod events;
mod lenses;
mod reports;
mod stopping;
mod trust;
mod truth;
