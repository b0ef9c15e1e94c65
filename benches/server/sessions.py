"""What is measured of a language server: opening a suite, typing, and what an editor requests meanwhile."""
import contextlib
import statistics
import time

from client import Client, Editor, Suite

KEYSTROKES = 20
# The mix: bursts of typing, 120 ms between two keys, and pauses in which the editor asks about the whole suite.
BURSTS = 12
KEYS_IN_A_BURST = 8
BETWEEN_KEYS = 0.12
PAUSE = 0.6


def alone(command, settings, path):
    """Opens a suite and types into it, one key after the other; then the same beside a case with a syntax error."""
    suite = Suite(path)
    client = Client(command, path.parent, settings)
    try:
        editor = Editor(client, suite)
        times = {"start to diagnostics": [(editor.opened - client.started) * 1000]}
        for _ in range(KEYSTROKES):
            took, found = editor.type()()
            if not found:
                raise RuntimeError(f"{command[0]} did not report the unknown outcome")
            times.setdefault("keystroke to diagnostics", []).append(took)
            at_cursor = {"textDocument": editor.document, "position": editor.cursor}
            for what, method in (("completion", "textDocument/completion"), ("hover", "textDocument/hover")):
                times.setdefault(what, []).append(client.request(method, at_cursor)[0])
        memory = client.memory()
        editor.break_another_case()
        for _ in range(KEYSTROKES):
            times.setdefault("keystroke beside a broken case", []).append(editor.type()()[0])
        figures = {what: statistics.median(all_times) for what, all_times in times.items()}
        return {**figures, "memory": memory}
    finally:
        client.kill()


def mixed(command, settings, path):
    """Types while an editor requests what it shows. Requests about the whole suite follow in pauses, and are cancelled before the
    next key."""
    suite = Suite(path)
    client = Client(command, path.parent, settings)
    try:
        editor = Editor(client, suite)
        keys = []
        for _ in range(BURSTS):
            for _ in range(KEYS_IN_A_BURST):
                due = time.perf_counter() + BETWEEN_KEYS
                wait = editor.type()
                asked = [about_cursor(client, editor, "completion", {"context": {"triggerKind": 1}})]
                keys.append(wait()[0])
                asked += [about_screen(client, editor, "inlayHint"), about_cursor(client, editor, "hover", {}), actions(client, editor)]
                for wait in asked:
                    wait()
                time.sleep(max(0.0, due - time.perf_counter()))
            time.sleep(PAUSE / 2)
            waits = [client.ask(f"textDocument/{what}", {"textDocument": editor.document}) for what in WHOLE_SUITE if has(client, what)]
            time.sleep(PAUSE / 2)
            for number in list(client.waiting):
                client.notify("$/cancelRequest", {"id": number})
            answered(waits)
        ordered = sorted(keys)
        return {
            "keystroke in the mix, 95 %": ordered[int(0.95 * len(ordered))],
            "memory after the mix": client.memory(),
        }
    finally:
        client.kill()


WHOLE_SUITE = ("codeLens", "documentSymbol")


def has(client, what):
    return client.capabilities.get(f"{what}Provider") is not None


def nothing():
    return 0.0, None


def about_cursor(client, editor, what, more):
    return client.ask(f"textDocument/{what}", {"textDocument": editor.document, "position": editor.cursor, **more})


def about_screen(client, editor, what):
    if not has(client, what):
        return nothing
    return client.ask(f"textDocument/{what}", {"textDocument": editor.document, "range": editor.screen})


def actions(client, editor):
    if not has(client, "codeAction"):
        return nothing
    at_cursor = {"start": editor.cursor, "end": editor.cursor}
    return client.ask("textDocument/codeAction", {"textDocument": editor.document, "range": at_cursor, "context": {"diagnostics": []}})


def answered(waits):
    """Waits for responses, also for those of cancelled requests."""
    for wait in waits:
        with contextlib.suppress(RuntimeError):
            wait()
