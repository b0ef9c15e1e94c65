{
  description = "Language server, linter and runner for eval suites";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      settings = (fromTOML (builtins.readFile ./Cargo.toml)).package;
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = settings.name;
          inherit (settings) version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          # The tests of the project start git, node and python, and write to the home folder.
          doCheck = false;
          env = { PCRE2_SYS_STATIC = "1"; } // pkgs.lib.optionalAttrs (self ? shortRev) { EVAL_LS_COMMIT = self.shortRev; };
          postInstall = ''
            $out/bin/eval-ls man > eval-ls.1
            installManPage eval-ls.1
            installShellCompletion --cmd eval-ls \
              --bash <($out/bin/eval-ls completions bash) \
              --zsh <($out/bin/eval-ls completions zsh) \
              --fish <($out/bin/eval-ls completions fish)
          '';
          meta = {
            inherit (settings) description;
            license = pkgs.lib.licenses.mit;
            mainProgram = "eval-ls";
          };
        };
      });
    };
}
