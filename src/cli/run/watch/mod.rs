//! `run --watch`: runs suites again when their files change, and handles the keys of a terminal.
//!
//! An event of the file system only starts a look at the files: what differs from the last look (`Files`) has changed. A case
//! runs again if what decides its result differs from when it last ended (`Session`).

mod files;
mod keyboard;
mod session;
mod started;
mod wake;

use std::path::PathBuf;

use tokio::runtime::Runtime;

use crate::cli::args::{Format, RunArgs};
use crate::cli::{Console, ExitStatus, Refusal};
use crate::files::Access;
use crate::targets::Cancel;

use super::batch;
use super::present::Presenter;
use super::run_batches;
use keyboard::Key;
use session::{Session, Which};
use wake::{Ask, Waker};

pub(super) use keyboard::restore;

/// Runs the suites, and then what changes, until a person ends it or `interrupted` is set. The result is the exit
/// status of all cases as they last ended.
pub(super) fn watch(
    args: &RunArgs,
    paths: &[PathBuf],
    runtime: &Runtime,
    interrupted: &Cancel,
    console: &mut Console,
) -> Result<ExitStatus, Refusal> {
    if args.format != Format::Text || paths.iter().any(|path| path.as_os_str() == "-") {
        let fault = "`--watch` needs suites that are files, and `--format text`; `--report` writes other formats";
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
    // A run of a few cases is not worth result files.
    let args = RunArgs { keep_only: !args.no_results, ..args.clone() };
    // Signals of the terminal are received in the runtime.
    let _context = runtime.enter();
    let mut waker = Waker::new(&args, paths, interrupted);
    let mut session = Session::default();
    let mut which = Which::All;
    let mut filter: Option<String> = None;
    loop {
        let mut args = args.clone();
        if let Some(filter) = &filter {
            args.select.cases = Some(filter.split(',').map(|glob| glob.trim().to_owned()).collect());
        }
        waker.forget_changes();
        session.forget_lost();
        let (next, asked) = round(&args, paths, which, session, waker, runtime, console);
        (session, waker) = next;
        session.started.close();
        if let Some(targets) = session.started.waiting() {
            if !waker.has_keys() {
                let fault = format!("{targets} changed after `--watch` was started; start it again");
                return Err(Refusal::new(ExitStatus::Misused, fault));
            }
            waker.forget_keys();
            console.tell(format_args!("{targets} changed after `--watch` was started; press Enter to start it"));
        }
        let asked = asked.unwrap_or_else(|| {
            waker.tell_state(&session, filter.as_deref(), console);
            runtime.block_on(waker.next())
        });
        if matches!(asked, Ask::Key(Key::Again)) {
            session.started.allow();
        }
        let asked = match asked {
            Ask::Key(Key::Filter) => runtime.block_on(waker.line("ids of cases, such as SYN*,E1 (empty: all): ")),
            asked => asked,
        };
        which = match asked {
            Ask::Changed(names) => {
                console.tell(format_args!("changed: {names}"));
                Which::Changed
            }
            Ask::Key(Key::Failed) => Which::Failed,
            Ask::Key(Key::Again) => Which::All,
            Ask::Key(Key::All) => {
                filter = None;
                Which::All
            }
            Ask::Key(Key::Line(Some(line))) => {
                filter = Some(line.trim().to_owned()).filter(|line| !line.is_empty());
                Which::All
            }
            Ask::Key(Key::Line(None) | Key::Filter) => Which::Changed,
            Ask::Key(Key::Quit) => return Ok(session.status()),
            Ask::Interrupted => return Ok(ExitStatus::Interrupted),
        };
    }
}

/// Runs some cases. If something is asked before they have ended, they are stopped, and the result has what was asked.
fn round(
    args: &RunArgs,
    paths: &[PathBuf],
    which: Which,
    mut session: Session,
    waker: Waker,
    runtime: &Runtime,
    console: &mut Console,
) -> ((Session, Waker), Option<Ask>) {
    let mut picking = session.picking(args, which);
    let prepared =
        batch::prepare(args, paths, Some(&mut |suite, index, loaded| picking.picks(suite, index, loaded)), console);
    let picked = picking.finish();
    let batches = match prepared {
        Ok(batches) => batches,
        Err(refusal) => {
            let status = refusal.tell(console);
            if which != Which::All && picked.is_empty() && status == ExitStatus::NothingSelected {
                console.tell(which.nothing());
            }
            session.fault(status);
            return ((session, waker), None);
        }
    };
    session.fault(batches.status);
    if !session.started.admits(&batches.batches) {
        return ((session, waker), None);
    }
    let (cancel, ended) = (Cancel::new(), Cancel::new());
    let asking = runtime.spawn(waker.until(ended.clone(), cancel.clone()));
    let mut presenter = Presenter::new(args, Access::private_if(batches.have_secrets()), console);
    let status = run_batches(args, batches, runtime, &cancel, &mut presenter);
    session.take(picked, presenter.collected());
    if cancel.is_cancelled() {
        presenter.abandon();
    } else {
        presenter.close(status);
    }
    ended.cancel();
    let (waker, asked) = runtime.block_on(asking).expect("waiting for files and keys does not panic");
    ((session, waker), asked)
}
