"""A scripted assistant of a bicycle workshop, as an example of a `command` target.

It reads one request, a line of JSON, from standard input, and writes one answer to standard output: the response, and
the telemetry of the called tools. A real agent would replace `ANSWERS` by a model.
"""

import json
import sys


def tool(name, arguments, success, **data):
    """The two events that a tool writes: its start and its result."""
    source = f"tool.{name}"
    return [
        {"level": "info", "source": source, "event": "start", "data": arguments},
        {"level": "info", "source": source, "event": "result", "data": {"success": success, **data}},
    ]


WEEK = """## Week 12

- orders: 23 open, two of them urgent
- calendar: 4 free slots, all on Thursday
- stock: inner tubes are low, 14 left

Assumption: the stock count is from Monday and may be stale."""

CALENDAR_DOWN = """The calendar is down, so there are no appointments in this answer.

orders: 23 open. I assume that the two urgent ones keep their Thursday slots."""

TUBES = """Stock
14 inner tubes on the shelf, counted this morning.

Advice
Order ten more: an ordinary weekend takes 18 inner tubes."""

BRIEF = """Today's mission: clear the two urgent orders before noon.

1. Start with the tandem, because its parts came in yesterday.
2. Move the cargo bike to Thursday, based on the calendar's free slots.

Evidence: orders read 5 minutes ago, calendar read 12 minutes ago.
Actions: Reframe mission | Lower priority | Snooze"""

YESTERDAY = """1. Clear the urgent orders.
- Call the owner of the tandem.

Evidence: the order book, read 240 minutes ago.
Actions: Reframe mission | Lower priority"""

# Words of the prompt, the response, and the telemetry of the called tools.
ANSWERS = [
    ("open repairs", "Open repairs are on your board: 9 repairs, the oldest first.", tool("add_widget", {"kind": "repairs"}, True)),
    ("wait for parts", "Now showing the 3 repairs that wait for parts.", tool("filter_widget", {"state": "parts"}, True)),
    ("book a slot", "Which day suits Ada?", tool("book_slot", {"who": "Ada"}, False, missingFields=["day"])),
    ("discount", "A discount of that size needs the owner's approval, so prices stay as they are.", []),
    ("remove widget", "There is no widget w-404 on this board.", tool("remove_widget", {"id": "w-404"}, False, error="not found")),
    ("create a board", "Board: Spring rush is ready.", tool("create_board", {"title": "Spring rush"}, True)),
    ("rename the board", "I renamed the board: it is called Autumn now.", tool("rename_boards", {"title": "Autumn"}, True)),
    ("calendar is down", CALENDAR_DOWN, []),
    ("how does the week look", WEEK, []),
    ("inner tubes", TUBES, []),
    ("brief me for today", BRIEF, tool("morning_brief", {}, True)),
    ("brief me from", YESTERDAY, []),
]


def main():
    prompt = json.loads(sys.stdin.readline())["prompt"].lower()
    for words, response, telemetry in ANSWERS:
        if words in prompt:
            json.dump({"response": response, "telemetry": telemetry}, sys.stdout)
            return
    sys.exit(f"this assistant has no answer to: {prompt}")


main()
