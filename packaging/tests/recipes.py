"""The recipes by which other systems install the program: Homebrew's formula and Nix's flake, read by Ruby and Nix, with stand-ins for
Homebrew and nixpkgs. They do not build the program, so no network is needed."""
import json
import os
import pathlib
import subprocess
import tarfile
import tempfile
from unittest import mock

from release import homebrew, targets
from release.archives import archive_name
from release.checksums import digest
from release.project import NAME, OUT, ROOT, Failure, output, run, version

# An address that no project has.
ADDRESS = "https://example.com/owner/eval-ls"
# Prints what a formula says for a system and a processor, and the files that it installs.
FORMULA = """
require 'json'
file, $system, $cpu = ARGV
class Formula
  FACTS = {}
  class << self
    %i[desc homepage version license url sha256].each { |name| define_method(name) { |value| FACTS[name] = value } }
    %i[macos linux arm intel].each { |name| define_method("on_#{name}") { |&block| block.call if [$system, $cpu].include? name.to_s } }
    def test; end
  end
  class Files
    def install(*names) = (FACTS[:files] ||= []).concat(names.flat_map { |name| name.is_a?(Hash) ? name.keys : [name] })
  end
  %i[bin man1 bash_completion zsh_completion fish_completion doc].each { |name| define_method(name) { Files.new } }
end
load file
EvalLs.new.install
puts JSON.generate(Formula::FACTS)
"""
# The package of a flake, with functions that return their arguments.
FLAKE = """
let
  pkgs = {
    rustPlatform.buildRustPackage = settings: settings;
    installShellFiles = "installShellFiles";
    lib = { optionalAttrs = is: set: if is then set else { }; licenses.mit = "MIT"; };
  };
  nixpkgs = {
    lib.genAttrs = names: make: builtins.listToAttrs (map (name: { inherit name; value = make name; }) names);
    legacyPackages = { x86_64-linux = pkgs; aarch64-linux = pkgs; x86_64-darwin = pkgs; aarch64-darwin = pkgs; };
  };
  flake = (import FILE).outputs { self = { shortRev = "abc"; }; inherit nixpkgs; };
  facts = { default, ... }: {
    inherit (default) pname version env postInstall;
    inherit (default.meta) mainProgram license description;
    locked = builtins.pathExists default.cargoLock.lockFile;
  };
in builtins.toJSON (builtins.mapAttrs (system: facts) flake.packages)
"""
# Stands in for the functions of `installShellFiles`: each file that they are given has a content.
INSTALL = """
set -euo pipefail
installManPage() { test -s "$1"; }
installShellCompletion() { while (($#)); do case $1 in --cmd) shift ;; --*) ;; *) grep -q eval-ls "$1" ;; esac; shift; done; }
"""


def formula():
    """Each system installs its archive, by its checksum, and the archive has the files."""
    with mock.patch.dict(os.environ, EVAL_LS_REPOSITORY=ADDRESS), tempfile.TemporaryDirectory() as folder:
        file, reader = pathlib.Path(folder, f"{NAME}.rb"), pathlib.Path(folder, "reader.rb")
        file.write_text(homebrew.text())
        reader.write_text(FORMULA)
        run("ruby", "-wc", file, stdout=subprocess.DEVNULL)
        for system, cpus in homebrew.PARTS.items():
            for cpu, triple in cpus.items():
                facts = json.loads(output("ruby", reader, file, system, cpu))
                archive = OUT / archive_name(targets.named(triple))
                if not archive.is_file():
                    continue
                if facts["url"] != f"{ADDRESS}/releases/download/v{version()}/{archive.name}" or facts["sha256"] != digest(archive):
                    raise Failure(f"the formula installs {facts} for {system} and {cpu}")
                with tarfile.open(archive) as packed:
                    names = packed.getnames()
                for name in facts["files"]:
                    if not any(f"{path}/".startswith(f"{NAME}-{triple}/{name}/") for path in names):
                        raise Failure(f"{archive.name} has no {name}, which the formula installs")
                yield f"{system}, {cpu}: {archive.name}, {len(facts['files'])} files"


def flake():
    """Nix evaluates the package for each system, and its commands install the manual page and the completions."""
    found = output("nix-instantiate", "--eval", "--strict", "-E", FLAKE.replace("FILE", str(ROOT / "flake.nix")), env={**os.environ, "NIX_REMOTE": "dummy://"})
    # The text is in a string of Nix, whose escapes are those of JSON except for `\\$`.
    packages = json.loads(json.loads(found.replace("\\$", "$")))
    for system, facts in packages.items():
        if (facts["pname"], facts["version"], facts["env"], facts["locked"]) != (NAME, version(), {"EVAL_LS_COMMIT": "abc"}, True):
            raise Failure(f"the flake builds {facts} for {system}")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "bin").mkdir()
        pathlib.Path(folder, "bin", NAME).symlink_to(targets.program_here())
        run("bash", "-c", INSTALL + facts["postInstall"], cwd=folder, env={**os.environ, "out": folder})
    yield f"{facts['pname']} {facts['version']} for {', '.join(packages)}"
