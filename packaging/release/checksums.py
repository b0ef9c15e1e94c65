"""SHA256SUMS, for `sha256sum --check SHA256SUMS`."""
import hashlib

from .project import OUT

FILE = "SHA256SUMS"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def checksums():
    """Writes the checksums of all assets, in the order of their names."""
    assets = sorted(path for path in OUT.iterdir() if path.is_file() and path.name != FILE)
    (OUT / FILE).write_text("".join(f"{digest(path)}  {path.name}\n" for path in assets))
