//! The public addresses of the schemas, and the entries for the catalog of SchemaStore. The base of the addresses is in
//! `Cargo.toml`.

use serde_json::{Value, json};

use super::{patterns, read, replace_between};

const CATALOG: &str = "https://json.schemastore.org/schema-catalog.json";

fn base() -> String {
    let manifest: toml::Table = toml::from_str(&read("Cargo.toml")).unwrap();
    manifest["package"]["metadata"]["schemas"]["base"].as_str().unwrap().to_owned()
}

/// A schema with its `$id` below the base. The last segment of the address stays.
pub(crate) fn address(present: &str) -> String {
    let schema: Value = serde_json::from_str(present).unwrap();
    let name = schema["$id"].as_str().unwrap().rsplit('/').next().unwrap();
    replace_between(present, "\"$id\": \"", "\"", &format!("{}{name}", base()))
}

/// The entries of the catalog. The newest schema accepts the suites of all versions.
pub(crate) fn catalog(_: &str) -> String {
    let url = |kind: &str| format!("{}eval-ls-{kind}.json", base());
    let files = patterns::own_names();
    let catalog = json!({
        "$schema": CATALOG,
        "version": 1,
        "schemas": [
            {
                "name": "eval-ls suite",
                "description": "Eval suite: cases with the expected behavior of an AI assistant",
                "fileMatch": files,
                "url": url("suite-0.3"),
                "versions": { "0.1": url("suite-0.1"), "0.2": url("suite-0.2"), "0.3": url("suite-0.3") }
            },
            {
                "name": "eval-ls.toml",
                "description": "Configuration of eval-ls, a language server, linter and runner for eval suites",
                "fileMatch": ["eval-ls.toml"],
                "url": url("config")
            }
        ]
    });
    format!("{catalog:#}\n")
}

#[test]
fn the_catalog_lists_the_ids_of_the_schemas() {
    let catalog: Value = serde_json::from_str(&read("editors/schemastore/catalog.json")).unwrap();
    let mut listed = Vec::new();
    for entry in catalog["schemas"].as_array().unwrap() {
        listed.push(entry["url"].clone());
        listed.extend(entry["versions"].as_object().into_iter().flatten().map(|(_, url)| url.clone()));
    }
    let ids = ["eval-set.v0.1", "eval-set.v0.2", "eval-set.v0.3", "eval-ls"].map(|name| {
        let schema: Value = serde_json::from_str(&read(&format!("schemas/{name}.schema.json"))).unwrap();
        schema["$id"].clone()
    });
    assert!(ids.iter().all(|id| listed.contains(id)), "{listed:?}");
    assert!(listed.iter().all(|url| ids.contains(url)), "{listed:?}");
}
