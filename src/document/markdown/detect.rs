//! Is a text without a telling extension written in Markdown?

use super::super::front_matter;

/// How much of a text is looked at, in bytes.
const HEAD: usize = 1 << 16;

/// True where a text has front matter, or headings, fences, links, tables and emphasis enough that Markdown is meant.
pub(in super::super) fn looks_like(text: &str) -> bool {
    if front_matter::is_at_head(text) {
        return true;
    }
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (mut headings, mut deep, mut first, mut fences, mut links, mut bold, mut tables, mut lines) = (0, 0, false, 0, 0, 0, 0, 0usize);
    let mut blank_before = true;
    let mut in_fence = false;
    let mut iter = text[..end].lines().peekable();
    while let Some(line) = iter.next() {
        let bare = line.trim();
        if bare.is_empty() {
            blank_before = true;
            continue;
        }
        lines += 1;
        if bare.starts_with("```") {
            fences += 1;
            in_fence = !in_fence;
        }
        if !in_fence {
            let hashes = line.bytes().take_while(|b| *b == b'#').count();
            let heads = (1..=6).contains(&hashes) && line[hashes..].starts_with(' ') && !line[hashes..].trim().is_empty();
            // comments of a script stand in runs, headings alone
            if heads && (blank_before || iter.peek().is_none_or(|n| n.trim().is_empty())) {
                headings += 1;
                deep += usize::from(hashes > 1);
                first |= lines == 1;
            }
            links += usize::from(bare.contains("](http") || bare.contains("](/") || bare.contains("](#") || bare.contains("](./"));
            bold += usize::from(bare.matches("**").count() >= 2);
            tables +=
                usize::from(bare.contains("--") && bare.contains('|') && bare.bytes().all(|b| matches!(b, b'|' | b'-' | b':' | b' ')));
        }
        blank_before = false;
    }
    let mut score = 0;
    if headings * 3 <= lines + 2 {
        score += if headings >= 2 && deep >= 1 { 2 } else { i32::from(headings >= 2) + i32::from(first) };
    }
    score += i32::from(fences >= 2) + i32::from(links >= 2) + i32::from(bold >= 3) + i32::from(tables >= 1);
    score >= 2
}

#[cfg(test)]
mod tests {
    use super::looks_like;

    #[test]
    fn what_is_markdown_and_what_is_not() {
        assert!(looks_like("# Outage\n\nText.\n\n## Impact\n\nText.\n"));
        assert!(looks_like("---\ntitle: x\n---\ntext"));
        assert!(looks_like("# 障害\n\n[a](https://x) b\n[c](https://y)\n"));
        assert!(!looks_like("Notes\n\n- one\n- two\n* three\n\nDone.\n"));
        assert!(!looks_like("# set up\nexport A=1\n# run\nrun\n# stop\nstop\n"));
        assert!(!looks_like("2024-05-03\n---\ntext\n---\n"));
        assert!(!looks_like(""));
    }
}
