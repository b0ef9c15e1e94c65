//! The schemas name every key that a run writes.

use std::path::Path;

use serde_json::Value;

use crate::support::Folder;

/// Adds the paths of keys that the schema does not name.
fn unknown_keys(root: &Value, schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    let alternatives = alternatives(root, schema);
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let path = format!("{path}.{key}");
                let of_key = |schema: &&Value| schema["properties"].get(key).cloned();
                let others = |schema: &&Value| schema.get("additionalProperties").filter(|it| it.is_object()).cloned();
                let named = alternatives.iter().find_map(of_key).or_else(|| alternatives.iter().find_map(others));
                match named {
                    Some(schema) => unknown_keys(root, &schema, value, &path, found),
                    None => found.push(path),
                }
            }
        }
        Value::Array(list) => {
            let items = alternatives.iter().find_map(|schema| schema.get("items")).unwrap_or(&Value::Null);
            list.iter().for_each(|value| unknown_keys(root, items, value, &format!("{path}[]"), found));
        }
        _ => {}
    }
}

/// The schema, or the one that it names, and those that it combines.
fn alternatives<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let named = schema["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    let schema = named.map_or(schema, |path| root.pointer(path).unwrap());
    let combined = ["oneOf", "anyOf", "allOf"].into_iter().flat_map(|key| schema[key].as_array().into_iter().flatten());
    std::iter::once(schema).chain(combined.flat_map(|schema| alternatives(root, schema))).collect()
}

fn check(workspace: &Folder, schema: &str, is_meant: impl Fn(&Path) -> bool) -> usize {
    let schema = workspace.run(&["schema", schema]).json();
    let files: Vec<_> = workspace.files().into_iter().filter(|(path, _)| is_meant(path)).collect();
    for (path, content) in &files {
        let mut unknown = Vec::new();
        unknown_keys(&schema, &schema, &serde_json::from_slice(content).unwrap(), "", &mut unknown);
        unknown.sort();
        unknown.dedup();
        assert!(unknown.is_empty(), "{}: {unknown:?}", path.display());
    }
    files.len()
}

#[test]
fn every_key_of_results_and_runs_is_in_its_schema() {
    let workspace = Folder::asking(&["yes", "yes no", "yes crash crash"], "");
    // Stored answers with evidence of every kind.
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let stored = ["run", "--target", "replay", "--results", "results"];
    for suite in ["synthesis-eval-set.v0.2.json", "tools-eval-set.v0.1.json", "brief-eval-set.v0.3.json"] {
        let suite = examples.join(suite);
        workspace.run(&[&stored[..], &[suite.to_str().unwrap()]].concat());
    }
    // Attempts, errors, retries, and a suite that cannot run.
    workspace.edit("eval-ls.toml", "[run]\n", "[run]\nretry_errors = 1\n");
    workspace.run(&["run", "--repeat", "2"]);
    workspace.write("broken.evals.json", "{");
    workspace.run(&["run", "--no-check"]);
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let is_result = |path: &Path| name(path).starts_with("minimum-eval-results-") && name(path).ends_with(".json");
    let results = check(&workspace, "result", is_result);
    let runs = check(&workspace, "run", |path| name(path) == "run.json");
    assert!(results >= 5 && runs >= 5, "{results} results, {runs} runs");
    let written: String = workspace.files().into_values().map(|content| String::from_utf8(content).unwrap()).collect();
    for key in ["planned", "duration_ms", "suite_end", "nearest"] {
        assert!(written.contains(&format!("\"{key}\"")), "no run wrote {key}");
    }
}
