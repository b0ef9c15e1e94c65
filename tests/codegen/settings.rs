//! The reference page of the editor settings, from the extension's `package.json`.

use std::fmt::Write as _;

use serde_json::Value;

use super::read;

pub(crate) fn page(_: &str) -> String {
    let package: Value = serde_json::from_str(&read("editors/vscode/package.json")).unwrap();
    let Value::Object(settings) = &package["contributes"]["configuration"]["properties"] else {
        panic!("package.json has no settings")
    };
    let mut page = String::from(
        "# Editor settings\n\n\
         VS Code has all of these settings. Other clients send `target`, `verdicts` and `challenges`\n\
         to the server as the section `eval-ls`, see [lsp-extensions.md](lsp-extensions.md#options). Levels of lints are in `eval-ls.toml`.\n\n\
         <!-- Generated from editors/vscode/package.json by `cargo codegen`. -->\n",
    );
    for (name, setting) in settings {
        write!(page, "\n## `{name}`\n\n{}\n\n", description(setting)).unwrap();
        writeln!(page, "- Type: {}", kind(setting)).unwrap();
        writeln!(page, "- Default: `{}`", setting["default"]).unwrap();
        if let (Some(values), Some(texts)) = (setting["enum"].as_array(), setting["enumDescriptions"].as_array()) {
            for (value, text) in values.iter().zip(texts) {
                writeln!(page, "- `{value}`: {}", text.as_str().unwrap()).unwrap();
            }
        }
        if let Some(Value::Object(members)) = setting.get("properties") {
            for (member, setting) in members {
                writeln!(page, "- `{member}` ({}): {}", kind(setting), description(setting)).unwrap();
            }
        }
    }
    page
}

fn description(setting: &Value) -> String {
    let text = setting["markdownDescription"].as_str().or(setting["description"].as_str());
    let text = text.unwrap_or_else(|| panic!("a setting has no description: {setting}"));
    // VS Code shows `#name#` as a link to the setting.
    text.replace("`#", "`").replace("#`", "`")
}

fn kind(setting: &Value) -> String {
    match setting["enum"].as_array() {
        Some(values) => values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", "),
        None => setting["type"].as_str().unwrap().to_owned(),
    }
}
