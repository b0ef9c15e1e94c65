use serde::Serializer;

/// Writes `1` and not `1.0`: the format of results.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
pub(super) fn option<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match *number {
        Some(number) if number.fract() == 0.0 && number.abs() < EXACT => serializer.serialize_i64(number as i64),
        Some(number) => serializer.serialize_f64(number),
        None => serializer.serialize_none(),
    }
}
