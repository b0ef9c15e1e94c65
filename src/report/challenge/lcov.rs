use std::fmt::Write as _;

use crate::transcript::file_name;

use super::ChallengedSuite;

/// A response as a text file, to which the LCOV data refer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LcovFile {
    /// The path, relative to the folder of the LCOV file, with `/` between its parts.
    pub(crate) path: String,
    /// The response.
    pub(crate) text: String,
}

/// The coverage of all transcripts as LCOV tracefile, and the text files that it names. A line counts as hit as often as
/// there are checks that depend on it. Responses that are too large to cover are left out.
pub(crate) fn lcov(suites: &[ChallengedSuite]) -> (String, Vec<LcovFile>) {
    let (mut trace, mut files) = (String::new(), Vec::new());
    for suite in suites {
        for case in &suite.cases {
            let Some(coverage) = &case.coverage else { continue };
            let Some(lines) = &coverage.lines else { continue };
            let path = format!("{}/{}.txt", stem(stem(&file_name(&suite.name))), stem(&file_name(case.id())));
            let hit = lines.iter().filter(|line| !line.checks.is_empty()).count();
            write!(trace, "TN:\nSF:{path}\n").expect("writing to a String does not fail");
            for line in lines {
                writeln!(trace, "DA:{},{}", line.line, line.checks.len()).expect("writing to a String does not fail");
            }
            write!(trace, "LF:{}\nLH:{hit}\nend_of_record\n", lines.len()).expect("writing to a String does not fail");
            files.push(LcovFile { path, text: coverage.response.clone() });
        }
    }
    (trace, files)
}

fn stem(name: &str) -> &str {
    name.strip_suffix(".json").unwrap_or(name)
}
