use proptest::prelude::*;

/// Pieces of patterns; many sequences of them compile.
const PIECES: &str = r#"
    a b é 😀 - # . ^ $ | ( ) (?: (?i) (?x) (?xx) (?-x) (?n) (?i: (?x-i: (?^) (?| (?> (?= (?! (?<= (?<! (?<n> (?'m'
    (?P<o> (?(1) (?(?=a) (?#c) (?# (?C1) (?C'x') (*SKIP) (*COMMIT) (*PRUNE) (*THEN) (*ACCEPT) (*F) (*:m) (*atomic:
    (?1) (?R) (?&n) (?P=n) [ ] [ab] [^a-c] []a] [^]a] [[:alpha:]b] [\Q]\E] [\]a] * + ? {2} {1,2} {,2} {1, } *? +? ++
    \ \d \W \. \n \x41 \x{e9} \o{141} \0 \1 \12 \141 \81 \g1 \g{1} \k<n> \g<1> \pL \p{Lu} \b \A \z \K \R \X \N \N{2}
    \N{U+61} \Q \E \cA 1 2 x n
"#;

fn all_pieces() -> Vec<&'static str> {
    PIECES.split_whitespace().chain([" ", "\n", "(?[ [a-c] - [b] ])", r"[ \w-]"]).collect()
}

/// Returns patterns, many of which compile.
pub(crate) fn patterns() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(all_pieces()), 0..9).prop_map(|pieces| pieces.concat());
    let opening = prop::sample::select(all_pieces().into_iter().filter(|p| p.starts_with('(')).collect::<Vec<_>>());
    pieces.prop_recursive(3, 12, 3, move |inner| {
        (opening.clone(), prop::collection::vec(inner, 1..4))
            .prop_map(|(opening, branches)| format!("{opening}{})", branches.join("|")))
    })
}
