//! Which files are suites.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Which files of a workspace are suites: a pattern of `include` matches them, and no pattern of `exclude` does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileSet {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
    /// Whether `include` is the user's own, so that a match is always a suite.
    is_given: bool,
}

/// Whether a file is a suite, and if not, why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken<'a> {
    /// The file is a suite.
    Yes,
    /// The file is a suite if its content is that of a suite: only the default pattern for a folder matches it.
    ByContent,
    /// No pattern of `include` matches it.
    NotIncluded,
    /// The pattern of `exclude` that matches the file.
    Excluded(&'a str),
}

/// A glob. `*` and `?` match within a folder, `**` matches any number of folders, also none, and `[…]` and `{a,b}` work
/// as usual. Case matters on every system.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    glob: String,
    // This is a set of one glob, because the matcher of a single glob panics if its regex is too large. A set returns
    // an error.
    matcher: GlobSet,
}

/// How long a pattern may be, in bytes. Alternatives nest at most half as deep.
/// A path is shorter, and the compiled pattern grows with it.
const MAX_LENGTH: usize = 500;

/// Why no absolute or negated pattern, and none with `.` or `..`, can be one.
const NOT_RELATIVE: &str = "the pattern matches no file: paths are relative to the folder of `eval-ls.toml`, without a leading `/` or `!`, and \
                            without `.` and `..`";

/// The default pattern for a folder in which other programs have files, too.
const FOLDER: &str = "**/evals/*.json";
const INCLUDE: [&str; 3] = ["**/*eval-set*.json", "**/*.evals.json", FOLDER];
const EXCLUDE: [&str; 4] = ["**/results/**", "**/transcripts/**", "**/node_modules/**", "**/.git/**"];

impl FileSet {
    /// Creates the set of files that `include` matches and `exclude` does not. Without `include`, the default patterns count.
    pub(super) fn new(include: Option<Vec<Pattern>>, exclude: Vec<Pattern>) -> Self {
        let is_given = include.is_some();
        Self { include: include.unwrap_or_else(|| built_in(&INCLUDE)), exclude, is_given }
    }

    /// Returns whether the file at `path` is a suite. The path is relative to the folder of `eval-ls.toml`, and its
    /// parts are separated by `/` on every system.
    pub(crate) fn takes(&self, path: &str) -> Taken<'_> {
        if let Some(pattern) = self.exclude.iter().find(|pattern| pattern.matches(path)) {
            return Taken::Excluded(pattern.as_str());
        }
        let matching: Vec<_> = self.include.iter().filter(|pattern| pattern.matches(path)).collect();
        match matching.as_slice() {
            [] => Taken::NotIncluded,
            [pattern] if pattern.as_str() == FOLDER && !self.is_given => Taken::ByContent,
            _ => Taken::Yes,
        }
    }

    /// Returns whether no file below the folder at `path` is a suite, so that a search can skip it. See
    /// [`takes`](Self::takes) for the form of `path`.
    pub(crate) fn excludes_folder(&self, path: &str) -> bool {
        // `x/**` matches everything below `x`. Any name below `x` shows whether the pattern does.
        let anything = format!("{path}/x");
        self.exclude.iter().any(|pattern| {
            let all_below = pattern.glob == "**" || (pattern.glob.ends_with("/**") && !pattern.glob.ends_with("\\/**"));
            all_below && pattern.matches(&anything)
        })
    }

    /// Returns the patterns of which one must match.
    pub(crate) fn include(&self) -> &[Pattern] {
        &self.include
    }

    /// Returns the patterns of the user's own that match none of these files, whose paths have the form of that of [`takes`](Self::takes).
    pub(crate) fn unmatched<'a>(&'a self, files: &'a [String]) -> impl Iterator<Item = &'a Pattern> {
        let is_unmatched = |pattern: &&Pattern| !files.iter().any(|file| pattern.matches(file));
        self.include.iter().filter(|_| self.is_given).filter(is_unmatched)
    }

    /// Returns the patterns of which none may match.
    #[cfg(test)]
    pub(crate) fn exclude(&self) -> &[Pattern] {
        &self.exclude
    }

    pub(super) fn default_exclude() -> Vec<Pattern> {
        built_in(&EXCLUDE)
    }
}

impl Default for FileSet {
    fn default() -> Self {
        Self::new(None, Self::default_exclude())
    }
}

impl Pattern {
    /// Reads the pattern `glob`.
    ///
    /// # Errors
    /// If it cannot match a file, is too long or is not a glob.
    pub(crate) fn new(glob: &str) -> Result<Self, String> {
        if glob.is_empty() {
            return Err("an empty pattern matches no file".to_owned());
        }
        if glob.len() > MAX_LENGTH {
            return Err(format!("the pattern is longer than {MAX_LENGTH} bytes"));
        }
        if glob.starts_with(['/', '!']) || glob.split('/').any(|part| matches!(part, "." | "..")) {
            return Err(NOT_RELATIVE.to_owned());
        }
        let syntax = |error: globset::Error| error.kind().to_string();
        let compiled = GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build().map_err(syntax)?;
        let matcher = GlobSetBuilder::new().add(compiled).build().map_err(syntax)?;
        Ok(Self { glob: glob.to_owned(), matcher })
    }

    /// Returns the text of the pattern.
    pub(crate) fn as_str(&self) -> &str {
        &self.glob
    }

    /// Returns whether it matches the file at `path`; see [`FileSet::takes`] for its form.
    pub(crate) fn matches(&self, path: &str) -> bool {
        self.matcher.is_match(path)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.glob == other.glob
    }
}

fn built_in(globs: &[&str]) -> Vec<Pattern> {
    globs.iter().map(|glob| Pattern::new(glob).expect("the built-in patterns are valid globs")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_match_suites_and_not_the_files_of_runs() {
        let files = FileSet::default();
        for (path, taken) in [
            ("minimum-eval-set.v0.1.json", Taken::Yes),
            (".claude/evals/synthesis-eval-set.v0.3.json", Taken::Yes),
            ("evals/anything.json", Taken::ByContent),
            ("a/b/evals/anything.json", Taken::ByContent),
            ("evals/chat.evals.json", Taken::Yes),
            ("chat.evals.json", Taken::Yes),
            ("package.json", Taken::NotIncluded),
            ("evals/deeper/anything.json", Taken::NotIncluded),
            ("Evals/anything.json", Taken::NotIncluded),
            ("my-eval-set.JSON", Taken::NotIncluded),
            ("results/minimum-eval-set.json", Taken::Excluded("**/results/**")),
            ("evals/results/a-eval-set.json", Taken::Excluded("**/results/**")),
            ("evals/transcripts/x/A1.evals.json", Taken::Excluded("**/transcripts/**")),
            ("web/node_modules/p/evals/x.json", Taken::Excluded("**/node_modules/**")),
            (".git/evals/x.json", Taken::Excluded("**/.git/**")),
            ("", Taken::NotIncluded),
        ] {
            assert_eq!(files.takes(path), taken, "{path}");
        }
    }

    #[test]
    fn a_pattern_of_the_user_decides_without_the_content() {
        let files = FileSet::new(Some(built_in(&[FOLDER, "more/*.json"])), Vec::new());
        assert_eq!(files.takes("evals/anything.json"), Taken::Yes);
        let unmatched =
            |path: &str| files.unmatched(&[path.to_owned()]).map(Pattern::as_str).collect::<Vec<_>>().join(" ");
        assert_eq!(unmatched("evals/anything.json"), "more/*.json");
        assert_eq!(FileSet::default().unmatched(&[]).count(), 0);
    }

    #[test]
    fn folders_are_excluded_only_with_all_their_files() {
        let set = |exclude: &[&str]| FileSet::new(Some(Vec::new()), built_in(exclude));
        for (exclude, folder, excluded) in [
            (&EXCLUDE[..], "web/node_modules", true),
            (&EXCLUDE[..], "web/node_modules/p/q", true),
            (&EXCLUDE[..], ".git", true),
            (&EXCLUDE[..], "evals", false),
            (&EXCLUDE[..], "node_modules.old", false),
            (&["**"][..], "a", true),
            (&["old/**"][..], "old", true),
            (&["old/**"][..], "a/old", false),
            (&["old/*"][..], "old", false),
            (&["**/x"][..], "old", false),
            (&["old/x/**"][..], "old", false),
        ] {
            assert_eq!(set(exclude).excludes_folder(folder), excluded, "{folder} by {exclude:?}");
        }
    }

    #[test]
    fn globs_match_the_documented_paths() {
        for (glob, path, matches) in [
            ("**/x.json", "x.json", true),
            ("*.json", "a/x.json", false),
            ("a/?.json", "a/b.json", true),
            ("a?b.json", "a/b.json", false),
            ("{a,b}/*.json", "b/x.json", true),
            ("[ab].json", "c.json", false),
            (r"\*.json", "*.json", true),
            (r"\*.json", "x.json", false),
            ("évals/*.json", "évals/x.json", true),
        ] {
            assert_eq!(Pattern::new(glob).expect(glob).matches(path), matches, "{glob} on {path}");
        }
    }

    #[test]
    fn faulty_globs_have_a_reason() {
        let too_long = "the pattern is longer than 500 bytes";
        for (glob, error) in [
            ("", "an empty pattern matches no file"),
            ("/evals/*.json", NOT_RELATIVE),
            ("./evals/*.json", NOT_RELATIVE),
            ("../*.json", NOT_RELATIVE),
            ("!x.evals.json", NOT_RELATIVE),
            (&"{".repeat(100_000), too_long),
        ] {
            assert_eq!(Pattern::new(glob), Err(error.to_owned()), "{glob:.20}");
        }
        for glob in ["[a", "{a", "a}", "[b-a]", "a\\", &"{".repeat(500), &"[a-z]".repeat(101)[..499]] {
            let error = Pattern::new(glob).expect_err(glob);
            assert!(!error.is_empty() && !error.contains("the pattern"), "{glob:.20}: {error:?}");
        }
    }

    #[test]
    fn the_deepest_pattern_compiles_or_has_an_error() {
        let nested = format!("{}a{}", "{".repeat(249), "}".repeat(249));
        let result = Pattern::new(&nested);
        assert!(result.as_ref().map_or_else(|error| !error.contains("the pattern"), |_| true), "{result:?}");
    }
}
