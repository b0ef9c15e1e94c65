use std::fs;

use super::*;

/// The names of the targets that apply to a file in `folder`.
fn targets(configurations: &mut Configurations, folder: &Path) -> Vec<String> {
    let configuration = configurations.of(Some(&folder.join("a.json")));
    configuration.config.targets.keys().filter(|name| *name != "replay").cloned().collect()
}

fn write(folder: &Path, target: &str) {
    let text = format!("[targets.{target}]\nkind = \"command\"\ncommand = [\"true\"]\n");
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(CONFIG_FILE), text).unwrap();
}

/// A reload happens while the state is locked, so it reads no file.
#[test]
fn a_file_is_read_only_ahead() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "one");
    let (folders, opened) = (BTreeSet::from([root.to_owned()]), [root.to_owned()]);
    let suite = root.join("a.json");
    let mut configurations = Configurations::default();
    configurations.supply(ReadAhead::of(&folders, &opened, configurations.known()));
    assert_eq!(targets(&mut configurations, root), ["one"]);
    assert!(!configurations.known().is_outdated());

    write(root, "another");
    assert!(configurations.known().is_outdated());
    assert!(configurations.reload(&opened, [&*suite].into_iter()).is_empty());
    assert_eq!(targets(&mut configurations, root), ["one"]);
    // A file that is known is not read for one more file.
    assert!(!ReadAhead::of(&folders, &opened, configurations.known()).has_files());

    configurations.supply(ReadAhead::of_all(&folders, &opened, configurations.known()));
    assert_eq!(configurations.reload(&opened, [&*suite].into_iter()), [root.join(CONFIG_FILE)]);
    assert_eq!(targets(&mut configurations, root), ["another"]);

    fs::remove_file(root.join(CONFIG_FILE)).unwrap();
    configurations.supply(ReadAhead::of_all(&folders, &opened, configurations.known()));
    configurations.reload(&opened, [&*suite].into_iter());
    assert_eq!(targets(&mut configurations, root), [""; 0]);
    assert!(!configurations.known().is_outdated());
}

#[test]
fn an_earlier_reading_does_not_replace_a_later_one() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "one");
    let (folders, opened) = (BTreeSet::from([root.to_owned()]), [root.to_owned()]);
    let mut configurations = Configurations::default();
    let earlier = ReadAhead::of_all(&folders, &opened, configurations.known());
    write(root, "another");
    configurations.supply(ReadAhead::of_all(&folders, &opened, configurations.known()));
    configurations.supply(earlier);
    assert_eq!(targets(&mut configurations, root), ["another"]);
}
