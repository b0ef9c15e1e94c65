use super::Lint;

impl Lint {
    /// Returns the page's first line: the finding in one sentence.
    pub fn summary(&self) -> &'static str {
        self.page.lines().next().unwrap_or_default().trim()
    }

    /// Returns the text between the page's first line and its examples, as Markdown: the consequences.
    pub(crate) fn reasons(&self) -> String {
        let lines = self.page.lines().skip(1).take_while(|line| !line.trim_start().starts_with("## "));
        let lines: Vec<_> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        lines.join("\n").trim().to_owned()
    }

    /// Returns the page as Markdown, with the lint's name as its heading.
    pub fn markdown(&self) -> String {
        let body = self.page.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
        format!("# {}\n\n{}\n", self.name, body.trim_end())
    }
}
