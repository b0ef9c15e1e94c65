use crate::text::Span;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; shown quietly.
    Hint,
    /// The suite runs, but most likely does not mean what it says.
    Warning,
    /// The suite is not run.
    Error,
}

impl Severity {
    /// `error`, `warning` or `hint`: the word of the configuration and of every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// What an editor may show beside a finding's severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// The runner ignores this text; editors fade it.
    Unnecessary,
}

/// One fault in a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The lint's name, for instance `duplicate-case-id`.
    pub lint: &'static str,
    /// How much it matters here, once the configuration has had its say.
    pub severity: Severity,
    /// The smallest text at fault, in bytes.
    pub span: Span,
    /// One sentence, plain text, without a full stop; names what is wrong and what was expected.
    pub message: String,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// What may be done about it, the best first.
    pub fixes: Vec<Fix>,
    /// How editors may show it.
    pub tags: Vec<Tag>,
}

/// Another place that a finding speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where, in bytes of the same file.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// A change that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a command: "remove the trailing comma".
    pub title: String,
    /// What to replace; spans do not overlap, and all are meant for the same text.
    pub edits: Vec<Edit>,
    /// Whether it keeps the meaning of the suite, so that it may be applied unasked.
    pub safe: bool,
    /// Whether it is most likely what the author wants. One of several equal choices is not.
    pub likely: bool,
}

/// Bytes to replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What goes; empty for an insertion.
    pub span: Span,
    /// What comes.
    pub text: String,
}

impl Finding {
    /// A finding of `lint` on `span`.
    pub fn new(lint: &'static str, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Self { lint, severity, span, message: message.into(), related: Vec::new(), fixes: Vec::new(), tags: Vec::new() }
    }

    /// Adds another place that explains it.
    pub fn also(&mut self, span: Span, message: impl Into<String>) -> &mut Self {
        self.related.push(Related { span, message: message.into() });
        self
    }

    /// Adds a fix.
    pub fn fix(&mut self, fix: Fix) -> &mut Self {
        self.fixes.push(fix);
        self
    }

    /// Marks text that the runner ignores.
    pub fn unnecessary(&mut self) -> &mut Self {
        self.tags.push(Tag::Unnecessary);
        self
    }

    /// The same finding, its spans counted from `origin` bytes further up.
    #[must_use]
    pub fn from_origin(mut self, origin: usize) -> Self {
        self.span = self.span.from_origin(origin);
        for related in &mut self.related {
            related.span = related.span.from_origin(origin);
        }
        for edit in self.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.span = edit.span.from_origin(origin);
        }
        self
    }
}

impl Fix {
    /// A fix that changes what the suite means, offered but never applied unasked.
    pub fn new(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: title.into(), edits, safe: false, likely: true }
    }

    /// One of several choices, none of which is likelier than the others.
    pub fn choice(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { likely: false, ..Self::new(title, edits) }
    }

    /// A fix that keeps the meaning.
    pub fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { safe: true, ..Self::new(title, edits) }
    }
}

impl Edit {
    /// Puts `text` in the place of `span`.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    /// Puts `text` before the byte at `offset`.
    pub fn insert(offset: usize, text: impl Into<String>) -> Self {
        Self::replace(Span::empty(offset), text)
    }

    /// Takes `span` away.
    pub fn delete(span: Span) -> Self {
        Self::replace(span, "")
    }
}
