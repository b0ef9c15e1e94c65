/// Formats rows of plain text. Every column except the last is as wide as its longest entry plus two spaces.
pub(super) fn columns<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = rows.into_iter().collect();
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let mut table = String::new();
    for row in rows {
        let line: String = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}  ")).collect();
        table.push_str(line.trim_end());
        table.push('\n');
    }
    table
}
