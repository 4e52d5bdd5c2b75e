//! A file's bytes as they lie on disk, and the text they encode.

use super::encoding::{Encoding, decode, detect};
use super::{LineIndex, Mapped, MappedBuilder, Span};
use std::ops::Range;

/// One file: path (as it is named to people and in output), bytes, encoding and decoded text.
#[derive(Clone, Debug)]
pub struct Source {
    path: String,
    bytes: Vec<u8>,
    encoding: Encoding,
    text: Mapped,
    lines: LineIndex,
    damaged: Vec<Span>,
}

impl Source {
    /// Reads bytes: byte order mark, else UTF-8 if valid, else what the file declares, else what the bytes look like. Never fails: bytes that are no text of the encoding
    /// become U+FFFD and are told by [`Source::damaged`].
    pub fn new(path: impl Into<String>, bytes: Vec<u8>) -> Source {
        let encoding = detect(&bytes);
        let (text, damaged) = decode(&bytes, encoding);
        let mut starts = vec![encoding.bom()];
        for (i, c) in text.as_str().char_indices() {
            if c == '\n' && i + 1 < text.len() {
                starts.push(text.offset(i + 1));
            }
        }
        Source { path: path.into(), bytes, encoding, text, lines: LineIndex::new(starts), damaged }
    }

    /// The same file, its text without the given ranges of it (ascending): what is no text of the document. Bytes, lines and places stay what they are.
    pub fn without(&self, dropped: &[Range<usize>]) -> Source {
        let mut kept = MappedBuilder::default();
        let mut at = 0;
        for range in dropped {
            kept.piece(&self.text, at..range.start.max(at));
            at = at.max(range.end);
        }
        kept.piece(&self.text, at..self.text.len().max(at));
        Source { text: kept.finish(), ..self.clone() }
    }

    /// The path, with `/` between folders.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The bytes as they lie on disk.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The encoding the text was decoded from.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The decoded text with its map home.
    pub fn text(&self) -> &Mapped {
        &self.text
    }

    /// Byte ranges that are no text of the encoding.
    pub fn damaged(&self) -> &[Span] {
        &self.damaged
    }

    /// True for files that hold no text at all (a NUL byte among the first 8,000 and neither UTF-16 nor UTF-32).
    pub fn is_binary(&self) -> bool {
        let head = &self.bytes[..self.bytes.len().min(8000)];
        !self.encoding.is_wide() && head.contains(&0)
    }

    /// The lines of the file.
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// Line and column of a byte offset, both from 1; the column counts characters.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.lines.line(offset);
        let head = Span::new(self.lines.start(line), offset);
        let column = self.text.locate(head).map_or(0, |r| self.text.as_str()[r].chars().count());
        (line, column + 1)
    }

    /// The text of a span, decoded.
    pub fn slice(&self, span: Span) -> &str {
        self.text.locate(span).map_or("", |r| &self.text.as_str()[r])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(bytes: &[u8], needle: &str) -> Vec<u8> {
        let s = Source::new("x", bytes.to_vec());
        let at =
            s.text().as_str().find(needle).unwrap_or_else(|| panic!("{needle} not in {:?} ({})", s.text().as_str(), s.encoding().name()));
        let span = s.text().span(at..at + needle.len());
        s.bytes()[span.start..span.end].to_vec()
    }

    #[test]
    fn encodings_keep_their_bytes() {
        let ja = "本番サーバーで障害が発生しました。原因は設定の誤りです。再起動で復旧しました。";
        for charset in [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP] {
            let (bytes, ..) = charset.encode(ja);
            let (want, ..) = charset.encode("原因");
            assert_eq!(home(&bytes, "原因"), want.to_vec(), "{}", charset.name());
        }
        let zh = "我们的数据库在凌晨发生了故障，原因是磁盘空间已满，随后切换到备用节点。";
        let (bytes, ..) = encoding_rs::GBK.encode(zh);
        let (want, ..) = encoding_rs::GBK.encode("磁盘");
        assert_eq!(home(&bytes, "磁盘"), want.to_vec());
        let fr = "Le serveur a été redémarré à 14 h 05 après l’épuisement de la mémoire.";
        let (bytes, ..) = encoding_rs::WINDOWS_1252.encode(fr);
        let (want, ..) = encoding_rs::WINDOWS_1252.encode("été");
        assert_eq!(home(&bytes, "été"), want.to_vec());
        let utf16: Vec<u8> = std::iter::once(0xFEFFu16).chain("Root cause: őrült 😀 x".encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(home(&utf16, "😀").len(), 4);
        assert_eq!(home(b"\xEF\xBB\xBFabc", "abc"), b"abc");
    }

    #[test]
    fn lines_and_columns_count_characters() {
        let s = Source::new("x", "ab\r\nпривет мир\n".as_bytes().to_vec());
        let at = s.text().as_str().find("мир").unwrap();
        assert_eq!(s.position(at), (2, 8));
        assert_eq!(s.position(0), (1, 1));
        assert_eq!(s.lines().count(), 2);
    }

    #[test]
    fn broken_bytes_are_told_and_kept() {
        let s = Source::new("x", b"good \xff text \xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9".to_vec());
        assert_eq!(s.damaged(), [Span::new(5, 6)]);
        assert!(s.text().as_str().starts_with("good \u{FFFD} text"));
    }
}
