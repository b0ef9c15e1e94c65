//! `man`: the manual page.

use std::io;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::args::Cli;
use super::{Console, ExitStatus};

/// Prints the manual page with all commands, as roff.
pub(super) fn man(console: &mut Console) -> ExitStatus {
    let written = write(&mut console.out);
    // Writing to the output never fails, and nothing else can fail.
    debug_assert!(written.is_ok(), "{written:?}");
    ExitStatus::Passed
}

fn write(out: &mut dyn io::Write) -> io::Result<()> {
    let without_help = |command: Command| command.disable_help_flag(true);
    let mut command = Cli::command().disable_help_subcommand(true).mut_subcommands(without_help);
    command.build();
    let page = Man::new(command.clone()).title("EVAL-LS");
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    section("COMMANDS").to_writer(out)?;
    for subcommand in command.get_subcommands() {
        write_subcommand(subcommand, out)?;
    }
    for (name, rows) in SECTIONS {
        let mut section = section(name);
        for (term, text) in rows {
            section.control("TP", []).text([bold(*term)]).text([roman(*text)]);
        }
        section.to_writer(out)?;
    }
    page.render_version_section(out)
}

fn section(name: &str) -> Roff {
    let mut section = Roff::new();
    section.control("SH", [name]);
    section
}

/// A command's usage, description and options.
fn write_subcommand(command: &Command, out: &mut dyn io::Write) -> io::Result<()> {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut heading = Roff::new();
    heading.control("SS", [command.get_name()]).text([roman(about)]).control("PP", []);
    heading.to_writer(out)?;
    let page = Man::new(command.clone());
    write_body(|section| page.render_synopsis_section(section), out)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        write_body(|section| page.render_options_section(section), out)?;
    }
    Ok(())
}

/// The content of a section, below another heading.
fn write_body(render: impl FnOnce(&mut dyn io::Write) -> io::Result<()>, out: &mut dyn io::Write) -> io::Result<()> {
    let mut section = Vec::new();
    render(&mut section)?;
    let section = String::from_utf8_lossy(&section);
    for line in section.lines().filter(|line| !line.starts_with(".SH ")) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The part that the arguments do not describe.
const SECTIONS: [(&str, &[(&str, &str)]); 3] = [
    (
        "EXIT STATUS",
        &[
            ("0", "All passed; for check, no error was found."),
            ("1", "A case failed; for check, an error was found."),
            ("2", "The command line or the configuration is wrong."),
            ("3", "A suite cannot be used: it was not found, is not readable, or has errors that prevent a run."),
            ("4", "No case was selected."),
            ("5", "A case ended in ERROR, and none failed."),
            ("130", "Interrupted."),
        ],
    ),
    (
        "ENVIRONMENT",
        &[
            ("NO_COLOR", "If it is set and not empty, there is no colour."),
            ("CLICOLOR_FORCE", "If it is set and not 0, there is colour even if the output is not a terminal."),
            ("TERM", "If it is dumb, there is no colour."),
        ],
    ),
    (
        "FILES",
        &[(
            "eval-ls.toml",
            "The files that are suites, the targets of runs, and the levels of lints. The nearest `eval-ls.toml` above a \
             suite applies to it; `eval-ls schema config` describes the file.",
        )],
    ),
];
