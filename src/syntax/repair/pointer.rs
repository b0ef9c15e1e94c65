//! A pointer of Git LFS in place of the file.

use crate::text::Span;

use super::Mistake;
use super::scene::lines;

pub(super) fn find(text: &str) -> Option<Mistake> {
    let first = lines(text).next().filter(|_| text.starts_with("version https://git-lfs.github.com/spec/"))?;
    Some(Mistake {
        span: Span::new(0, text[first.range()].trim_end().len()),
        message: "a pointer of Git LFS, not the file; `git lfs pull` fetches the file".to_owned(),
        opened: None,
        repairs: Vec::new(),
        is_harmless: false,
    })
}

#[cfg(test)]
#[test]
fn example() {
    let text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n";
    let found = super::mistakes(text, &crate::syntax::parse(text).errors, &|_| 0);
    let [mistake] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((mistake.span, mistake.repairs.len()), (Span::new(0, 42), 0), "{mistake:?}");
}
