//! The assistant. It is scripted, so that its answers are predictable, and it is sometimes wrong, so that some cases fail.
//! A real assistant would replace [`answer`] by a model.

use serde_json::{Value, json};

use crate::board::{Board, Kind, Repairs};

/// The reaction of the assistant to a prompt.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// The called tools, in order.
    pub(crate) tools: Vec<Call>,
    /// The response: one paragraph per line. Lines that begin with `1. ` are list items.
    pub(crate) text: String,
    /// The actions that the user can choose, shown as buttons.
    pub(crate) actions: Vec<&'static str>,
}

/// A tool call.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    pub(crate) input: Value,
    /// The result, which always has `success`.
    pub(crate) result: Value,
}

const HELP: &str = "I can add, filter and remove widgets, look up orders, create spaces and brief you for the day.";

/// Answers a prompt. Tools may change the board.
pub(crate) fn answer(prompt: &str, board: &mut Board) -> Answer {
    let asked = prompt.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| asked.contains(word));
    if says(&["brief"]) {
        brief(says(&["yesterday"]))
    } else if says(&["inner tube"]) {
        tubes()
    } else if says(&["week"]) {
        week(says(&["calendar is down"]))
    } else if says(&["discount", "price"]) {
        Answer {
            text: "A discount of that size needs the owner's approval, so prices stay as they are.".into(),
            ..Answer::default()
        }
    } else if says(&["space"]) {
        create_space(prompt, board)
    } else if says(&["look up", "order 4", "order 9"]) {
        look_up(&asked)
    } else if says(&["print"]) {
        let failed = json!({ "success": false, "error": "printer offline" });
        let text = "The label could not be printed: the printer is offline. Switch it on and ask me again.";
        said(text, vec![call("print_label", json!({ "order": 4711 }), failed)])
    } else if says(&["remove", "take away"]) {
        remove(kind(&asked), board)
    } else if says(&["only", "filter"]) {
        filter(&asked, board)
    } else if says(&["add", "put", "show"]) {
        add(kind(&asked), board)
    } else if says(&["hello", "what can you"]) {
        Answer { text: format!("Hello! {HELP}"), ..Answer::default() }
    } else {
        Answer { text: format!("I did not understand that. {HELP}"), ..Answer::default() }
    }
}

fn add(kind: Option<Kind>, board: &mut Board) -> Answer {
    let Some(kind) = kind else {
        let failed = json!({ "success": false, "missingFields": ["kind"] });
        let text = "Which widget shall I add: open repairs, stock, appointments or takings?";
        return said(text, vec![call("add_widget", json!({}), failed)]);
    };
    board.add(kind);
    let tools = vec![call("add_widget", json!({ "kind": kind }), json!({ "success": true, "widget": kind.title() }))];
    said(format!("{} are on your board now.", kind.title()), tools)
}

fn filter(asked: &str, board: &mut Board) -> Answer {
    let (repairs, words) = match asked {
        _ if asked.contains("parts") => (Repairs::WaitingForParts, "the 3 repairs that wait for parts"),
        _ if asked.contains("overdue") => (Repairs::Overdue, "the 2 repairs that are overdue"),
        _ => (Repairs::All, "all repairs"),
    };
    let input = json!({ "widget": Kind::Repairs, "filter": repairs });
    if board.filter(repairs) {
        said(format!("Now showing {words}."), vec![call("filter_widget", input, json!({ "success": true }))])
    } else {
        let failed = json!({ "success": false, "error": "no such widget" });
        said("There are no open repairs on your board to filter.", vec![call("filter_widget", input, failed)])
    }
}

fn remove(kind: Option<Kind>, board: &mut Board) -> Answer {
    let input = json!({ "kind": kind });
    match kind.filter(|kind| board.remove(*kind)) {
        Some(kind) => {
            let tools = vec![call("remove_widget", input, json!({ "success": true }))];
            said(format!("{} are off your board.", kind.title()), tools)
        }
        None => {
            let failed = json!({ "success": false, "error": "no such widget" });
            said(
                "There is no such widget on your board, so nothing was taken away.",
                vec![call("remove_widget", input, failed)],
            )
        }
    }
}

fn create_space(prompt: &str, board: &mut Board) -> Answer {
    let name = ["called ", "named "].iter().find_map(|word| prompt.split_once(word)).map(|(_, name)| name);
    let name = name
        .map(|name| name.trim().trim_end_matches('.').trim_matches(['"', '“', '”']))
        .filter(|name| !name.is_empty());
    let Some(name) = name else {
        let failed = json!({ "success": false, "missingFields": ["name"] });
        return said("What shall the new space be called?", vec![call("create_space", json!({}), failed)]);
    };
    *board = Board::empty(name);
    let tools = vec![call("create_space", json!({ "name": name }), json!({ "success": true }))];
    said(format!("The space {name} is ready, and you are in it."), tools)
}

fn look_up(asked: &str) -> Answer {
    let number = asked.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty());
    let Some(number) = number else {
        let failed = json!({ "success": false, "missingFields": ["order"] });
        return said("Which order? Tell me its number.", vec![call("look_up_order", json!({}), failed)]);
    };
    let input = json!({ "order": number });
    if number == "4711" {
        let found = json!({ "success": true, "order": { "number": 4711, "total": 184.5 } });
        let text = "The order book has order 4711: Ada's tandem, new drivetrain, € 184.50, ready on Thursday.";
        said(text, vec![call("look_up_order", input, found)])
    } else {
        let failed = json!({ "success": false, "error": "not found" });
        said(format!("Order {number} was not found in the order book."), vec![call("look_up_order", input, failed)])
    }
}

fn tubes() -> Answer {
    let tools = vec![call("check_stock", json!({ "item": "inner tubes" }), json!({ "success": true, "count": 14 }))];
    said("The shelf has 14 inner tubes. Order ten more: an ordinary weekend takes 18.", tools)
}

fn week(calendar_is_down: bool) -> Answer {
    let orders = call("look_up_orders", json!({ "from": "week 47" }), json!({ "success": true, "open": 23 }));
    if calendar_is_down {
        let failed = json!({ "success": false, "error": "calendar unreachable" });
        let text = "The calendar is down, so there are no appointments in this answer.\n\
                    Orders: 23 open. I assume that the two urgent ones keep their Thursday slots.";
        return said(text, vec![orders, call("check_calendar", json!({}), failed)]);
    }
    let tools = vec![
        orders,
        call("check_calendar", json!({}), json!({ "success": true, "free": 4 })),
        call("check_stock", json!({ "item": "inner tubes" }), json!({ "success": true, "count": 14 })),
    ];
    let text = "Week 47 at a glance\nOrders: 23 open, two of them urgent.\nCalendar: 4 free slots, all on Thursday.\n\
                Stock: 14 inner tubes left, which is low.\n\
                Assumption: the stock was counted on Monday and may be stale.";
    said(text, tools)
}

fn brief(is_old: bool) -> Answer {
    if is_old {
        // A deliberate mistake: the assistant briefs from memory instead of calling a tool.
        let text = "Today's mission: as yesterday.\n1. Call the owner of the tandem.\nEvidence: the order book, read 240 minutes ago.";
        return said(text, Vec::new());
    }
    let tools = vec![
        call("look_up_orders", json!({ "urgent": true }), json!({ "success": true, "open": 23, "urgent": 2 })),
        call("check_calendar", json!({}), json!({ "success": true, "free": 4 })),
        call("morning_brief", json!({}), json!({ "success": true })),
    ];
    let text = "Today's mission: clear the two urgent orders before noon.\n\
                1. Start with Ada's tandem, because its parts came in yesterday.\n\
                2. Move the cargo bike to Thursday, based on the calendar's free slots.\n\
                Evidence: orders read 4 minutes ago, calendar read 12 minutes ago.";
    Answer { actions: vec!["Reframe mission", "Lower priority", "Snooze"], ..said(text, tools) }
}

fn kind(asked: &str) -> Option<Kind> {
    let known = [
        ("repair", Kind::Repairs),
        ("stock", Kind::Stock),
        ("appointment", Kind::Appointments),
        ("calendar", Kind::Appointments),
        ("takings", Kind::Takings),
    ];
    known.into_iter().find(|(word, _)| asked.contains(word)).map(|(_, kind)| kind)
}

fn call(tool: &'static str, input: Value, result: Value) -> Call {
    Call { tool, input, result }
}

fn said(text: impl Into<String>, tools: Vec<Call>) -> Answer {
    Answer { tools, text: text.into(), actions: Vec::new() }
}
