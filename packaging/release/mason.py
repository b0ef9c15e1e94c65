"""The package for mason-registry, from which Neovims install the server. It installs the wheel from PyPI."""
from .project import NAME, OUT, package, repository, version


def entry():
    """Writes mason-package.yaml, which is packages/eval-ls/package.yaml there."""
    lines = [
        "---",
        f"name: {NAME}",
        f"description: {package()['description'].partition(':')[0]}.",
        f"homepage: {repository('the package for mason')}",
        "licenses:",
        f"  - {package()['license']}",
        "languages:",
        "  - JSON",
        "categories:",
        "  - LSP",
        "  - Linter",
        "",
        "source:",
        f"  id: pkg:pypi/{NAME}@{version()}",
        "",
        "bin:",
        f"  {NAME}: pypi:{NAME}",
        "",
        "neovim:",
        "  lspconfig: eval_ls",
    ]
    (OUT / "mason-package.yaml").write_text("\n".join(lines) + "\n")
