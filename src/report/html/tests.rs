use super::*;

#[test]
fn the_policy_has_the_hashes_of_the_style_and_the_script() {
    for Template { page, style, script } in [RUN, TRANSCRIPT] {
        for (text, name) in [(style, "style-src"), (script, "script-src")] {
            assert!(!text.contains("</"), "the end of an element cannot be in it");
            assert!(page.contains(&format!("{name} '%")), "{name}");
        }
        assert!(!script.contains("innerHTML") && !script.contains("eval(") && !page.contains("http://"));
    }
}
