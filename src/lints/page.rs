use super::Lint;

/// A block of JSON on a lint's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example<'a> {
    /// The heading it stands under: `Example` shows the fault, `Fix` the suite without it.
    pub heading: &'a str,
    /// The words behind `json` on the opening fence: `file=brief.v0.2.json`, `tools=book,find`.
    pub settings: Vec<(&'a str, &'a str)>,
    /// A suite; or one of its cases; or what stands under `expected`.
    pub json: String,
}

impl Lint {
    /// What it finds, in one sentence: the page's first line.
    pub fn summary(&self) -> &'static str {
        self.page.lines().next().unwrap_or_default().trim()
    }

    /// Why it matters, as Markdown: what stands between the page's first line and its examples.
    pub fn reasons(&self) -> String {
        let lines = self.page.lines().skip(1).take_while(|line| !line.trim_start().starts_with("## "));
        let lines: Vec<_> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        lines.join("\n").trim().to_owned()
    }

    /// The page as Markdown, headed by the lint's name.
    pub fn markdown(&self) -> String {
        let body = self.page.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
        format!("# {}\n\n{}\n", self.name, body.trim_end())
    }

    /// The blocks of JSON on its page.
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
