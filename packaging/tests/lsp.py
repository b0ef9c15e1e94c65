"""A small client of a language server, which is a process with pipes."""
import json

from release.project import Failure


def wait_for(server, is_wanted):
    """The next message that is wanted."""
    for message in messages(server):
        if is_wanted(message):
            return message
    raise Failure(f"the server ended with {server.wait()} in the middle of the session")


def send(server, **message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def messages(server):
    """The server's messages up to the end of its output. Questions are answered with their first action, other requests with null."""
    while line := server.stdout.readline():
        length = int(line.split(b":")[1])
        while server.stdout.readline().strip():
            pass
        message = json.loads(server.stdout.read(length))
        if "method" in message and "id" in message:
            actions = (message.get("params") or {}).get("actions") if message["method"] == "window/showMessageRequest" else None
            send(server, id=message["id"], result=actions[0] if actions else None)
        yield message
