//! How the parser's steps become nodes.

use crate::text::Span;

use super::{Parser, State};
use crate::syntax::tree::Entry;
use crate::syntax::{Kind, SyntaxErrorKind};

impl Parser<'_> {
    /// Closes the innermost container with this token, which is its bracket.
    pub(super) fn close(&mut self) {
        let frame = self.stack.pop().expect("a container is open");
        if frame.state == State::Comma && !self.last_comma.is_empty() {
            self.report(self.last_comma, SyntaxErrorKind::TrailingComma(frame.container));
            self.tree[frame.node as usize].broken = true;
        }
        self.quiet = false;
        self.advance();
        self.tree[frame.node as usize].end = self.previous_end as u32;
        self.tree[frame.node as usize].after = self.tree.len() as u32;
        if !self.stack.is_empty() {
            self.value_is_done();
        }
    }

    pub(super) fn value_is_done(&mut self) {
        if !self.stack.is_empty() {
            self.close_member(false);
            self.top_mut().state = State::Value;
        }
    }

    pub(super) fn open_member(&mut self, key: Kind) {
        let member = self.push(Kind::Member, self.token.span.start, key == Kind::Invalid);
        self.leaf_in(member, key, self.token.span, self.token.broken || key == Kind::Invalid);
        let frame = self.top_mut();
        frame.member = Some(member);
        frame.state = State::Key;
    }

    pub(super) fn open_member_index(&self) -> usize {
        self.top().member.expect("a key opens a member") as usize
    }

    pub(super) fn close_member(&mut self, broken: bool) {
        if let Some(member) = self.top_mut().member.take() {
            let after = self.tree.len() as u32;
            let end = self.previous_end as u32;
            let entry = &mut self.tree[member as usize];
            entry.broken |= broken;
            entry.end = end.max(entry.start);
            entry.after = after;
        }
    }

    pub(super) fn push(&mut self, kind: Kind, start: usize, broken: bool) -> u32 {
        let index = self.tree.len() as u32;
        let mut parent = 0;
        if !self.stack.is_empty() {
            let frame = self.top_mut();
            frame.last_child = Some(index);
            parent = frame.member.unwrap_or(frame.node);
        }
        self.tree.push(Entry {
            start: start as u32,
            end: start as u32,
            parent,
            after: index + 1,
            kind,
            broken,
            is_part: false,
        });
        index
    }

    pub(super) fn leaf(&mut self, kind: Kind, span: Span, broken: bool) {
        let index = self.push(kind, span.start, broken);
        self.tree[index as usize].end = span.end as u32;
    }

    pub(super) fn leaf_in(&mut self, parent: u32, kind: Kind, span: Span, broken: bool) {
        let after = self.tree.len() as u32 + 1;
        self.tree.push(Entry {
            start: span.start as u32,
            end: span.end as u32,
            parent,
            after,
            kind,
            broken,
            is_part: false,
        });
    }

    pub(super) fn mark_broken(&mut self) {
        if !self.stack.is_empty() {
            let node = self.top().node as usize;
            self.tree[node].broken = true;
        }
    }
}
