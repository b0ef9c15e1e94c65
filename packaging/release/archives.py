"""Archives with the same bytes for the same content, and the archive of a program with its pages and completions."""
import gzip
import io
import shutil
import tarfile
import time
import zipfile

from .project import NAME, OUT, ROOT, epoch, notices, output
from .readme import readme
from .targets import program_here

SHELLS = {"bash": f"{NAME}.bash", "zsh": f"_{NAME}", "fish": f"{NAME}.fish", "powershell": f"{NAME}.ps1", "elvish": f"{NAME}.elv"}


def tar_gz(path, entries):
    """Writes entries: name, content and whether it is a program. They keep their order."""
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=epoch()) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, content, is_program in entries:
                entry = tarfile.TarInfo(name)
                entry.size, entry.mtime, entry.mode = len(content), epoch(), 0o755 if is_program else 0o644
                archive.addfile(entry, io.BytesIO(content))


def zip_file(path, entries):
    """The same as a zip file."""
    # A zip file counts years from 1980.
    when = time.gmtime(max(epoch(), 315_532_800))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content, is_program in entries:
            entry = zipfile.ZipInfo(name, when)
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            archive.writestr(entry, content)


def pages():
    """The completions, from the program itself: name and content."""
    program = program_here()
    for shell, file in SHELLS.items():
        yield f"completions/{file}", text(program, "completions", shell)


def text(program, *arguments):
    return (output(program, *arguments) + "\n").encode()


def archive(target):
    """The archive of a target: the program, README, licences and completions in one folder."""
    folder = f"{NAME}-{target.triple}"
    entries = [(target.program, target.path.read_bytes(), True)]
    entries += [(name, path.read_bytes(), False) for name, path in notices()]
    entries += [("README.md", readme().encode(), False), ("CHANGELOG.md", (ROOT / "CHANGELOG.md").read_bytes(), False)]
    entries += [(name, content, False) for name, content in pages()]
    entries = [(f"{folder}/{name}", content, is_program) for name, content, is_program in entries]
    if target.program.endswith(".exe"):
        zip_file(OUT / f"{folder}.zip", entries)
    else:
        tar_gz(OUT / f"{folder}.tar.gz", entries)


def archive_name(target):
    return f"{NAME}-{target.triple}" + (".zip" if target.program.endswith(".exe") else ".tar.gz")


def source():
    """The source as `git archive` packs it, which is the same everywhere."""
    name = f"{NAME}-source.tar.gz"
    packed = OUT / name.removesuffix(".gz")
    output("git", "archive", "--format=tar", f"--prefix={NAME}/", f"--output={packed}", "HEAD")
    with packed.open("rb") as plain, (OUT / name).open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=epoch()) as out:
        shutil.copyfileobj(plain, out)
    packed.unlink()
