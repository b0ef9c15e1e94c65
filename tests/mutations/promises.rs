//! The workspace of the suites, and the targets for the table.

use eval_ls::testing::Workspace;

pub(crate) const RECALL: f64 = 0.99;
pub(crate) const SINGLE: f64 = 0.95;
pub(crate) const SINGLE_SYNTAX: f64 = 0.92;
pub(crate) const FIX: f64 = 0.80;
pub(crate) const RIGHT: f64 = 0.95;

/// A workspace whose transcripts contain every tool that the suites name, and that defines their UI hint.
pub(crate) fn workspace() -> Workspace {
    let tools = "renew_loan find_loan delete_member search_catalogue list_members export_members reserve_item \
        book_slot find_slot cancel_ticket delete_customer refund_order suche_schuhe zeige_liste find_train \
        book_train pay_ticket storniere_reise create_ticket close_ticket purge_queue";
    let mut workspace = Workspace::default();
    workspace.tools = tools.split(' ').map(|tool| (tool.to_owned(), 1)).collect();
    workspace.ui_hints = ["The list of tickets is open.".to_owned()].into();
    workspace
}
