use super::*;

#[test]
fn replace_writes_the_file_and_leaves_no_draft() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/kept.json");
    replace(&path, b"one").unwrap();
    replace(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn create_never_overwrites() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.json");
    create(&path, b"one").unwrap();
    let error = create(&path, b"two").unwrap_err();
    assert!(matches!(error, FileError::Exists { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"one");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn drafts_of_killed_writers_are_removed_and_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (killed, writing) = (folder.path().join(".eval-ls-a.tmp"), folder.path().join(".eval-ls-b.tmp"));
    let other = folder.path().join("notes.tmp");
    let now = SystemTime::now();
    for (path, age) in [(&killed, 11), (&writing, 9), (&other, 11)] {
        File::create(path).unwrap().set_modified(now - Duration::from_secs(age * 60)).unwrap();
    }
    remove_drafts(folder.path(), now);
    assert_eq!([&killed, &writing, &other].map(|path| path.exists()), [false, true, true]);
    remove_drafts(&folder.path().join("absent"), now);
}

#[test]
fn errors_name_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    replace(&file, b"").unwrap();
    let error = replace(&file.join("below.json"), b"").unwrap_err();
    assert!(matches!(error, FileError::Folder { .. }), "{error}");
    assert!(error.to_string().contains(&file.display().to_string()), "{error}");
    let error = replace(folder.path(), b"").unwrap_err();
    assert!(error.to_string().contains(&folder.path().display().to_string()), "{error}");
}

#[cfg(unix)]
#[test]
fn rewrite_keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, "one").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", &link).unwrap();
    rewrite(&link, b"two").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"two");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

    fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
    for (path, why) in [(&link, "the file is read-only"), (&folder.path().to_owned(), "not a regular file")] {
        let error = rewrite(path, b"three").unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()) && error.ends_with(why), "{error}");
    }
    assert!(rewrite(&folder.path().join("absent"), b"").is_err());
    assert_eq!(fs::read(&file).unwrap(), b"two");
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
#[test]
fn rewrite_keeps_extended_attributes() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "one").unwrap();
    // Some file systems have none.
    let is_set = setxattr(&file, "user.note", b"kept", XattrFlags::empty()).is_ok();
    rewrite(&file, b"two").unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"two");
    let mut value = [0; 4];
    let kept = getxattr(&file, "user.note", &mut value[..]).is_ok_and(|length| value[..length] == *b"kept");
    assert_eq!(kept, is_set);
}

#[cfg(unix)]
#[test]
fn private_files_are_private_also_if_they_existed() {
    let folder = tempfile::tempdir().unwrap();
    for write in [
        (|path, access| replace_with(path, access, |file| file.write_all(b"x"))) as fn(&Path, Access) -> _,
        |path, access| crate::files::stream(path, access).map(|mut file| file.write_all(b"x").unwrap()),
    ] {
        let path = folder.path().join("new/file");
        write(&path, Access::Shared).unwrap();
        assert_eq!(Access::of(&path), Access::Shared);
        write(&path, Access::Private).unwrap();
        assert_eq!(Access::of(&path), Access::Private);
        assert_eq!(fs::read(&path).unwrap(), b"x");
        fs::remove_file(&path).unwrap();
        write(&path, Access::Private).unwrap();
        assert_eq!(Access::of(&path), Access::Private);
        fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn replaced_files_have_the_permissions_of_a_new_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
    replace(&ours, b"").unwrap();
    fs::write(&plain, b"").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&ours), mode(&plain));
}
