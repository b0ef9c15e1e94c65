use crate::cli::args::RunArgs;

/// Says so where flags ask for a browser, which this version cannot drive yet. `--session` is taken all the same: the
/// results have a place for it.
pub(super) fn refuse(args: &RunArgs) -> Result<(), &'static str> {
    if args.app_url.is_some() || args.space_url.is_some() || args.wait_ms.is_some() {
        return Err(
            "`--app-url`, `--space-url` and `--wait-ms` are for a browser target, which is not supported yet; \
             use `--target` with one of the kind `command` or `replay`",
        );
    }
    Ok(())
}
