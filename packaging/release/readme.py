"""The README of a package: without what needs a checkout, and with links that lead to the repository."""
import re

from .project import ROOT, has_repository, repository, version

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)]+)\)")
CHECKOUT = re.compile(r"<!-- checkout -->\n.*?<!-- end -->\n+", re.S)
# In its place, a package says how it is installed.
TRY = re.compile(r"<!-- checkout -->\n## Try it\n.*?<!-- end -->\n+", re.S)
ADDRESSED = re.compile(r"<!-- addressed -->\n(.*?)<!-- end -->\n+", re.S)


def readme(install=None):
    """The text. `install` is the command that installs the package; without one, the reader has the program already."""
    text = (ROOT / "README.md").read_text()
    how = f"## Install\n\n```console\n$ {install}\n```\n\n" if install else ""
    text = TRY.sub(lambda _: how, text, count=1)
    return linked(CHECKOUT.sub("", text))


def linked(text):
    """Lets links lead to the repository. Without an address, links become words, and pictures and lists of links are left out."""
    if not has_repository():
        text = ADDRESSED.sub("", text)
        return re.sub(r"\n{3,}", "\n\n", LINK.sub(lambda link: "" if link[1] else link[2], text))
    address = repository("a link in the README")

    def absolute(link):
        kind = "raw" if link[1] else "blob"
        return f"{link[1]}[{link[2]}]({address}/{kind}/v{version()}/{link[3]})"

    return LINK.sub(absolute, ADDRESSED.sub(lambda part: part[1] + "\n", text))
