//! The board and its widgets.

use serde::Serialize;

/// A board of widgets, as the page draws it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Board {
    pub(crate) title: String,
    pub(crate) widgets: Vec<Widget>,
}

/// A widget.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Widget {
    pub(crate) kind: Kind,
    /// The shown repairs, if the widget shows repairs.
    pub(crate) repairs: Repairs,
}

/// The content of a widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Repairs,
    Stock,
    Appointments,
    Takings,
}

/// A filter for repairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Repairs {
    All,
    WaitingForParts,
    Overdue,
}

impl Kind {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Kind::Repairs => "Open repairs",
            Kind::Stock => "Stock levels",
            Kind::Appointments => "Appointments",
            Kind::Takings => "Takings",
        }
    }
}

impl Board {
    /// The initial board.
    pub(crate) fn new() -> Self {
        let mut board = Self::empty("Workshop");
        board.add(Kind::Appointments);
        board.add(Kind::Takings);
        board
    }

    pub(crate) fn empty(title: &str) -> Self {
        Self { title: title.to_owned(), widgets: Vec::new() }
    }

    /// Adds a widget of that kind, if there is none.
    pub(crate) fn add(&mut self, kind: Kind) {
        if !self.widgets.iter().any(|widget| widget.kind == kind) {
            self.widgets.insert(0, Widget { kind, repairs: Repairs::All });
        }
    }

    /// Removes the widget of that kind. Returns whether there was one.
    pub(crate) fn remove(&mut self, kind: Kind) -> bool {
        let before = self.widgets.len();
        self.widgets.retain(|widget| widget.kind != kind);
        self.widgets.len() < before
    }

    /// Shows only those repairs. Returns whether the board shows repairs at all.
    pub(crate) fn filter(&mut self, repairs: Repairs) -> bool {
        let shown = self.widgets.iter_mut().find(|widget| widget.kind == Kind::Repairs);
        shown.map(|widget| widget.repairs = repairs).is_some()
    }
}
