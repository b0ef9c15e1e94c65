use super::Lint;

/// A block of JSON on a lint's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example<'a> {
    /// Its heading: `Example` shows the problem, `Fix` the suite without it.
    pub heading: &'a str,
    /// The words after `json` on the opening fence: `file=brief.v0.2.json`, `tools=book,find`.
    pub settings: Vec<(&'a str, &'a str)>,
    /// A suite, one of its cases, or a value of `expected`.
    pub json: String,
}

impl Lint {
    /// Returns the page's first line: the finding in one sentence.
    pub fn summary(&self) -> &'static str {
        self.page.lines().next().unwrap_or_default().trim()
    }

    /// Returns the text between the page's first line and its examples, as Markdown: the consequences.
    pub fn reasons(&self) -> String {
        let lines = self.page.lines().skip(1).take_while(|line| !line.trim_start().starts_with("## "));
        let lines: Vec<_> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        lines.join("\n").trim().to_owned()
    }

    /// Returns the page as Markdown, with the lint's name as its heading.
    pub fn markdown(&self) -> String {
        let body = self.page.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
        format!("# {}\n\n{}\n", self.name, body.trim_end())
    }

    /// Returns the blocks of JSON on its page.
    pub fn examples(&self) -> Vec<Example<'static>> {
        let mut examples = Vec::new();
        let mut heading = "";
        let mut open: Option<Example<'static>> = None;
        for line in self.page.lines() {
            let line = line.strip_prefix(' ').unwrap_or(line);
            match (&mut open, line) {
                (Some(_), "```") => examples.extend(open.take()),
                (Some(example), line) => {
                    example.json.push_str(line);
                    example.json.push('\n');
                }
                (None, line) => {
                    if let Some(text) = line.strip_prefix("## ") {
                        heading = text;
                    } else if let Some(settings) = line.strip_prefix("```json") {
                        let settings = settings.split_whitespace().filter_map(|word| word.split_once('=')).collect();
                        open = Some(Example { heading, settings, json: String::new() });
                    }
                }
            }
        }
        examples
    }
}
