"""The formula for Homebrew. It installs the archives of the release."""
from .archives import archive_name
from .checksums import digest
from .project import NAME, OUT, asset_address, package, repository, version
from .targets import named

PARTS = {
    "macos": {"arm": "aarch64-apple-darwin", "intel": "x86_64-apple-darwin"},
    "linux": {"arm": "aarch64-unknown-linux-musl", "intel": "x86_64-unknown-linux-musl"},
}


def formula():
    """Writes eval-ls.rb."""
    (OUT / f"{NAME}.rb").write_text(text())


def text():
    """The formula, with the systems whose archives exist."""
    summary = package()["description"].partition(":")[0]
    lines = [
        "class EvalLs < Formula",
        f'  desc "{summary}"',
        f'  homepage "{repository("the Homebrew formula")}"',
        f'  version "{version()}"',
        f'  license "{package()["license"]}"',
        "",
    ]
    for system, cpus in PARTS.items():
        parts = [part for cpu, triple in cpus.items() for part in source(cpu, triple)]
        if parts:
            lines += [f"  on_{system} do", *parts, "  end", ""]
    lines += [
        "  def install",
        f'    bin.install "{NAME}"',
        f'    man1.install "man/{NAME}.1"',
        f'    bash_completion.install "completions/{NAME}.bash" => "{NAME}"',
        f'    zsh_completion.install "completions/_{NAME}"',
        f'    fish_completion.install "completions/{NAME}.fish"',
        '    doc.install "LICENSE", "THIRD_PARTY_NOTICES.md", "third-party"',
        "  end",
        "",
        "  test do",
        f'    assert_match version.to_s, shell_output("#{{bin}}/{NAME} --version")',
        f'    system bin/"{NAME}", "self-test"',
        "  end",
        "end",
    ]
    return "\n".join(lines) + "\n"


def source(cpu, triple):
    file = archive_name(named(triple))
    if not (OUT / file).is_file():
        return []
    return [f"    on_{cpu} do", f'      url "{asset_address(file)}"', f'      sha256 "{digest(OUT / file)}"', "    end"]
