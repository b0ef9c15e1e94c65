use std::io::{self, Read};

use proptest::prelude::*;

use super::super::{Fault, Frames};

/// Returns `bytes` in pieces that end at each of `cuts`.
struct Pieces<'a> {
    bytes: &'a [u8],
    cuts: Vec<usize>,
    at: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let end = self.cuts.iter().copied().filter(|&cut| cut > self.at).min().unwrap_or(self.bytes.len());
        let end = end.min(self.bytes.len());
        let read = (&self.bytes[self.at..end]).read(buffer)?;
        self.at += read;
        Ok(read)
    }
}

fn frames(bytes: &[u8], cuts: Vec<usize>) -> Vec<Result<String, Fault>> {
    let text = |body| String::from_utf8(body).expect("the tests frame text");
    Frames::new(Pieces { bytes, cuts, at: 0 }).map(|frame| frame.map(text)).collect()
}

fn frame(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// Checks the result of reading the input whole, in two pieces cut at every place, and byte by byte.
fn check(input: &str, expected: &[Result<&str, Fault>]) {
    let input = input.as_bytes();
    let pieces = (0..=input.len()).map(|cut| vec![cut]).chain([(0..input.len()).collect()]);
    for cuts in pieces {
        let found = frames(input, cuts.clone());
        let found: Vec<_> = found.iter().map(|frame| frame.as_ref().map(String::as_str)).collect();
        let expected: Vec<_> = expected.iter().map(|frame| frame.as_ref().copied()).collect();
        assert_eq!(found, expected, "{} cut at {cuts:?}", String::from_utf8_lossy(input));
    }
}

#[test]
fn headers_may_be_written_in_many_ways() {
    for header in [
        "Content-Length: 2\r\n\r\n",
        "Content-Length: 2\n\n",
        "content-length:2\r\n\r\n",
        "CONTENT-LENGTH  :   2  \r\n\r\n",
        "  Content-Length:\t2\r\n\r\n",
        "Content-Length: 002\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
        "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        "Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 2\n\r\n",
        "X-Anything: at: all\r\nContent-Length: 2\r\n\r\n",
        "\r\n\nContent-Length: 2\r\n\r\n",
    ] {
        check(&format!("{header}{{}}{}", frame("next")), &[Ok("{}"), Ok("next")]);
    }
}

#[test]
fn bodies_are_counted_and_never_looked_at() {
    check("", &[]);
    check(&frame(""), &[Ok("")]);
    check(&[frame("a"), frame("\r\n\r\n"), frame("é")].concat(), &[Ok("a"), Ok("\r\n\r\n"), Ok("é")]);
    let inner = frame("inner");
    check(&frame(&inner), &[Ok(&inner)]);
}

#[test]
fn a_frame_that_the_input_ends_in_is_dropped() {
    let whole = frame("body");
    for end in 1..whole.len() {
        check(&[&whole, &whole[..end]].concat(), &[Ok("body")]);
    }
}

#[test]
fn what_is_no_frame_is_reported_once_and_skipped() {
    let next = frame("next");
    for (garbage, fault) in [
        ("garbage\r\n", Fault::Header),
        ("garbage\r\n\r\nand more\n: no name\n\n", Fault::Header),
        ("garbage right before ", Fault::Header),
        ("{\"jsonrpc\":\"2.0\"}\n", Fault::Header),
        ("\0\u{7}\u{1b}\n", Fault::Header),
        ("Content-Length 2\r\n\r\n{}", Fault::Header),
        ("Content-Length: two\r\n\r\n{}", Fault::Header),
        ("Content-Length:\r\n\r\n{}", Fault::Header),
        ("Content-Length: -2\r\n\r\n{}", Fault::Header),
        ("Content-Length: 2.0\r\n\r\n{}", Fault::Header),
        ("Content-Length: 2\r\ngarbage\r\n\r\n{}", Fault::Header),
        ("Content-Length: 2\r\n", Fault::Header),
        ("Content-Type: text/plain\r\n\r\n{}", Fault::Header),
    ] {
        check(&[garbage, &next, &next].concat(), &[Err(fault), Ok("next"), Ok("next")]);
    }
    // Every error is reported.
    let garbage = "garbage\n";
    check(
        &[garbage, &next, garbage, &next].concat(),
        &[Err(Fault::Header), Ok("next"), Err(Fault::Header), Ok("next")],
    );
}

#[test]
fn a_body_that_is_longer_than_was_said_costs_no_more_than_itself() {
    check(
        &["Content-Length: 3\r\n\r\n{\"a\":1}", &frame("next")].concat(),
        &[Ok("{\"a"), Err(Fault::Header), Ok("next")],
    );
}

#[test]
fn what_is_too_long_is_skipped_whether_or_not_it_comes() {
    let next = frame("next");
    for (number, length) in [
        ("67108865", 67_108_865),
        ("99999999999", 99_999_999_999),
        ("18446744073709551615", u64::MAX),
        ("99999999999999999999999999", u64::MAX),
    ] {
        for body in ["", "{\"the\": \"body\"}", "[\n  \"Content-Length: 5\\r\\n\",\n  2\n]\n\n"] {
            let input = format!("Content-Length: {number}\r\n\r\n{body}{next}");
            check(&input, &[Err(Fault::TooLong { length }), Ok("next")]);
        }
    }
}

#[test]
fn the_limit_itself_is_accepted_and_one_byte_more_is_drained() {
    let limit = 64 << 20;
    let body = "x".repeat(limit + 1);
    let input = [frame(&body[1..]), frame(&body), frame("next")].concat();
    let found: Vec<_> =
        frames(input.as_bytes(), vec![]).into_iter().map(|frame| frame.map(|body| body.len())).collect();
    assert_eq!(found, [Ok(limit), Err(Fault::TooLong { length: limit as u64 + 1 }), Ok(4)]);
}

#[test]
fn lines_of_any_length_take_little_memory() {
    let mut reader = Frames::new(io::repeat(b'x').take(8 << 20).chain(frame("next").leak().as_bytes()));
    assert_eq!(reader.next(), Some(Err(Fault::Header)));
    assert_eq!(reader.next(), Some(Ok(b"next".to_vec())));
    assert_eq!(reader.next(), None);
}

proptest! {
    /// Garbage costs at most the two frames around it. If it contains no frame itself, it costs none.
    #[test]
    fn garbage_costs_no_frames(
        parts in prop::collection::vec((".{0,30}", prop::option::of(garbage())), 0..8),
        cuts in prop::collection::vec(0..400usize, 0..10),
    ) {
        let mut input = Vec::new();
        for (body, garbage) in &parts {
            input.extend_from_slice(frame(body).as_bytes());
            input.extend_from_slice(garbage.as_deref().unwrap_or_default());
        }
        let found: Vec<_> = frames(&input, cuts).into_iter().flatten().collect();
        let sent: Vec<_> = parts.iter().map(|(body, _)| body.clone()).collect();
        prop_assert_eq!(found, sent);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let read: usize = Frames::new(&bytes[..]).flatten().map(|body| body.len()).sum();
        prop_assert!(read <= bytes.len());
    }

    #[test]
    fn nothing_made_of_headers_makes_it_panic(
        bytes in prop::collection::vec(prop::sample::select(vec!["Content-Length", ":", " ", "1", "99999999999", "\r", "\n", "x"]), 0..60),
    ) {
        let input = bytes.concat();
        let read: usize = Frames::new(input.as_bytes()).flatten().map(|body| body.len()).sum();
        prop_assert!(read <= input.len());
    }
}

/// Bytes without a frame that may resemble the start of a header.
fn garbage() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..20),
        prop::sample::select(vec![
            "\r\n",
            "\n\n",
            "Content-Length",
            ": ",
            "Other: x",
            "12",
            "{}",
            "Content-Length: x\n"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    let garbage = prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat());
    // A number after the header's name would be a frame.
    garbage.prop_filter("frames nothing", |bytes| {
        let text = String::from_utf8_lossy(bytes).to_ascii_lowercase().replace([' ', '\t', '\r', '\u{c}'], "");
        // A number behind the header's name would frame something.
        !text.split("content-length:").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}
