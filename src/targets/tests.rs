use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;

use super::BrowserOptions;
use super::*;
use crate::config::Config;
use crate::transcript::{Origin, Store, Transcript};

fn config(text: &str) -> Arc<Config> {
    let (config, errors) = Config::parse(text, &[]);
    assert_eq!(errors, []);
    Arc::new(config)
}

#[test]
fn targets_are_opened_by_name() {
    let config = config(
        "[targets.agent]\nkind = \"command\"\ncommand = [\"node\"]\n\
         [targets.app]\nkind = \"browser\"\nurl = \"http://localhost\"\n\
         [targets.odd]\nkind = \"browser\"\nurl = \"http://localhost\"\nbefore = [[\"clik\"]]\n\
         [targets.old]\nkind = \"replay\"\n",
    );
    let open = |name| super::open(name, &config, Path::new("/"), &BrowserOptions::default());
    for (name, is_live) in [("replay", false), ("old", false), ("agent", true)] {
        let target = open(name).expect(name);
        assert_eq!((target.name(), target.is_live()), (name, is_live));
        assert_eq!(target.origin(), Origin::default());
    }
    let app = open("app").expect("app");
    assert!(app.is_live());
    assert_eq!(app.origin().app_url.as_deref(), Some("http://localhost/"));
    let error = open("odd").map(|_| ()).expect_err("odd").to_string();
    assert!(error.starts_with("the target `odd` cannot be used: step 1 of `before` begins with `clik`"), "{error}");
    let unknown = ["agnet", "\u{1b}"].map(|name| open(name).map(|_| ()).expect_err(name).to_string());
    insta::assert_snapshot!(unknown.join("\n"));
}

async fn replay(suite: &Path, case: &str) -> Result<Transcript, TargetError> {
    let target = ReplayTarget::new("replay", Arc::new(Config::default()));
    let deadline = Deadline::start("60s".parse().unwrap(), &Cancel::new());
    let context = Context { deadline, progress: Progress::ignored() };
    target.set_up(&context).await?;
    let mut session = target.session(0, &context).await?;
    let request = Request { suite: suite.to_owned(), case: case.to_owned(), ..Request::default() };
    let answer = session.ask(&request, &context).await;
    session.close().await;
    target.tear_down().await;
    answer
}

#[tokio::test]
async fn replay_gives_what_was_kept() {
    let folder = TempDir::new().unwrap();
    let suite = folder.path().join("evals.json");
    let kept = Transcript { case: "A/1".to_owned(), response: "hi".to_owned(), ..Transcript::default() };
    Store::new(&suite, &Config::default()).write(&kept).unwrap();
    assert_eq!(replay(&suite, "A/1").await.unwrap(), kept);
}

#[tokio::test]
async fn what_cannot_be_replayed_is_an_error_that_names_the_file() {
    let folder = TempDir::new().unwrap();
    let suite = folder.path().join("evals.json");
    let kept = folder.path().join("transcripts/evals");
    let reason = |error: TargetError| error.to_string().replace(&kept.display().to_string(), "<kept>");

    let error = replay(&suite, "A/1").await.unwrap_err();
    let why = "no stored answer; `eval-ls record` asks your assistant and stores one";
    assert_eq!(reason(error), why);

    std::fs::create_dir_all(kept.join("DIR.json")).unwrap();
    let error = replay(&suite, "DIR").await.unwrap_err();
    assert_eq!(reason(error), "no transcript to replay: `<kept>/DIR.json` is not a file");

    std::fs::write(kept.join("BAD.json"), "{\"format\": 1}").unwrap();
    let error = replay(&suite, "BAD").await.unwrap_err();
    let why = "no transcript to replay: <kept>/BAD.json: line 1, column 12: expected a string for `format`, found 1";
    assert_eq!(reason(error), why);
}
