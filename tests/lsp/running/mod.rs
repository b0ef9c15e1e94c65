//! Runs from the editor: programs of several manners are asked, stopped, allowed and refused.

mod bench;
mod commands;
mod events;
mod lenses;
mod stopping;
mod trust;
