use super::*;

#[test]
fn the_policy_has_the_hashes_of_the_style_and_the_script() {
    for (text, name) in [(STYLE, "style-src"), (SCRIPT, "script-src")] {
        assert!(!text.contains("</"), "the end of an element cannot be in it");
        assert!(PAGE.contains(&format!("{name} '%")), "{name}");
    }
    assert!(!SCRIPT.contains("innerHTML") && !SCRIPT.contains("eval(") && !PAGE.contains("http://"));
}
