//! Runs from the editor: programs of several manners are asked, stopped, allowed and refused.

mod bench;
mod events;
mod stopping;
mod trust;
