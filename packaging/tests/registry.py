"""A registry for npm on this machine, with the packages of the release."""
import base64
import contextlib
import hashlib
import http.server
import json
import tarfile
import threading
import urllib.parse

from release.project import OUT


def packages():
    """The packages by name: package.json and the packed file."""
    found = {}
    for path in OUT.glob("npm-*.tgz"):
        with tarfile.open(path) as archive:
            about = json.load(archive.extractfile("package/package.json"))
        found[about["name"]] = (about, path)
    return found


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = urllib.parse.unquote(self.path.lstrip("/"))
        known = packages()
        if name.startswith("files/"):
            self.answer(200, (OUT / name.removeprefix("files/")).read_bytes())
        elif name in known:
            self.answer(200, json.dumps(self.described(*known[name])).encode())
        else:
            self.answer(404, b"{}")

    def described(self, about, path):
        content = path.read_bytes()
        integrity = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
        address = f"http://{self.headers['Host']}/files/{path.name}"
        version = {**about, "dist": {"tarball": address, "integrity": integrity}}
        return {"name": about["name"], "dist-tags": {"latest": about["version"]}, "versions": {about["version"]: version}}

    def answer(self, status, content):
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def registry():
    """Serves the packages. Gives the address."""
    with serve(Handler) as address:
        yield address


@contextlib.contextmanager
def serve(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
