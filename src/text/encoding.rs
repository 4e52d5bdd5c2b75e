//! Encodings: which one a file is in, and its text with a map back to the bytes.

use super::declared::declared;
use super::{Mapped, MappedBuilder, Span};
use encoding_rs::{Encoding as Charset, GB18030, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1250, WINDOWS_1252};

/// The encoding a file was read in, by its WHATWG name in lower case (`utf-8`, `shift_jis`, `gbk`, `windows-1252`, `utf-16le` …).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    kind: Kind,
    /// Length of the byte order mark, which is no text.
    bom: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Known(&'static Charset),
    /// UTF-32, which the web left behind and old exports did not.
    Utf32 {
        big: bool,
    },
}

impl Encoding {
    fn known(charset: &'static Charset, bom: usize) -> Encoding {
        Encoding { kind: Kind::Known(charset), bom }
    }

    /// The name, in lower case.
    pub fn name(&self) -> String {
        match self.kind {
            Kind::Known(charset) => charset.name().to_ascii_lowercase(),
            Kind::Utf32 { big: true } => "utf-32be".to_owned(),
            Kind::Utf32 { big: false } => "utf-32le".to_owned(),
        }
    }

    /// Length of the byte order mark.
    pub(super) fn bom(&self) -> usize {
        self.bom
    }

    /// True where every character takes two bytes or four, so that zeros are part of text.
    pub(super) fn is_wide(&self) -> bool {
        match self.kind {
            Kind::Known(charset) => charset == UTF_16LE || charset == UTF_16BE,
            Kind::Utf32 { .. } => true,
        }
    }
}

/// How much of a file is looked at for the shape of wide characters, in bytes.
const HEAD: usize = 1 << 16;

/// Which encoding bytes are in.
pub(super) fn detect(bytes: &[u8]) -> Encoding {
    if bytes.starts_with(&[0xFF, 0xFE, 0, 0]) && bytes.len().is_multiple_of(4) {
        return Encoding { kind: Kind::Utf32 { big: false }, bom: 4 };
    }
    if bytes.starts_with(&[0, 0, 0xFE, 0xFF]) {
        return Encoding { kind: Kind::Utf32 { big: true }, bom: 4 };
    }
    if let Some((charset, bom)) = Charset::for_bom(bytes) {
        return Encoding::known(charset, bom);
    }
    if bytes.starts_with(&[0x84, 0x31, 0x95, 0x33]) {
        return Encoding::known(GB18030, 4);
    }
    if let Some(kind) = wide(bytes) {
        return Encoding { kind, bom: 0 };
    }
    // seven bits that switch between sets
    if [b"\x1b$B".as_slice(), b"\x1b$@"].iter().any(|e| bytes.windows(3).any(|w| w == *e)) && errors(ISO_2022_JP, bytes) == 0 {
        return Encoding::known(ISO_2022_JP, 0);
    }
    if std::str::from_utf8(bytes).is_ok() {
        return Encoding::known(UTF_8, 0);
    }
    // what a file says of itself holds where its bytes are such text
    if let Some(charset) = declared(bytes)
        && charset != UTF_8
        && errors(charset, bytes) * 200 <= bytes.iter().filter(|b| **b >= 0x80).count()
    {
        return Encoding::known(charset, 0);
    }
    // Mostly valid UTF-8 with a few broken bytes stays UTF-8: a legacy encoding hardly ever forms so many valid sequences.
    let (mut multi, mut broken) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        multi += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    if multi > 4 * broken {
        return Encoding::known(UTF_8, 0);
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, chardetng::Utf8Detection::Allow);
    Encoding::known(if guess == WINDOWS_1252 && has_double_acutes(bytes) { WINDOWS_1250 } else { guess }, 0)
}

/// True where the letters beyond ASCII are acutes, umlauts, and what are double acutes in one encoding and tildes or circumflexes in the other: no
/// orthography has tilde and circumflex on o and u beside acutes without others that are missing here.
fn has_double_acutes(bytes: &[u8]) -> bool {
    let lower = |b: u8| if b >= 0xC0 { b | 0x20 } else { b };
    let letters = || bytes.iter().filter(|b| **b >= 0xC0).map(|b| lower(*b));
    letters().any(|b| matches!(b, 0xF5 | 0xFB))
        && letters().any(|b| matches!(b, 0xE1 | 0xE9 | 0xED | 0xF3 | 0xFA))
        && letters().all(|b| matches!(b, 0xE1 | 0xE9 | 0xED | 0xF3 | 0xF6 | 0xFA | 0xFC | 0xF5 | 0xFB))
}

/// How many sequences of bytes are no text in an encoding.
fn errors(charset: &'static Charset, bytes: &[u8]) -> usize {
    let mut decoder = charset.new_decoder_without_bom_handling();
    let mut buffer = vec![0u8; 4096];
    let (mut from, mut count) = (0, 0);
    loop {
        let (result, read, _) = decoder.decode_to_utf8_without_replacement(&bytes[from..], &mut buffer, true);
        from += read;
        match result {
            encoding_rs::DecoderResult::InputEmpty => return count,
            encoding_rs::DecoderResult::OutputFull => {}
            encoding_rs::DecoderResult::Malformed(..) => count += 1,
        }
    }
}

/// UTF-32 and UTF-16 without a byte order mark: by the zeros that stand only in certain places, and because all of it is text so.
fn wide(bytes: &[u8]) -> Option<Kind> {
    let head = &bytes[..bytes.len().min(HEAD) & !3];
    if head.len() < 4 || !head.contains(&0) || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let is_text = |c: u32| char::from_u32(c).is_some_and(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{c}'));
    if bytes.len().is_multiple_of(4) {
        for big in [false, true] {
            if head.chunks_exact(4).all(|c| is_text(unit32(c, big))) {
                return Some(Kind::Utf32 { big });
            }
        }
    }
    // of the two orders, the one in which there are blanks, line breaks and figures
    let mut best = None;
    for big in [false, true] {
        let units = bytes[..bytes.len().min(HEAD)]
            .chunks_exact(2)
            .map(|c| if big { u16::from_be_bytes([c[0], c[1]]) } else { u16::from_le_bytes([c[0], c[1]]) });
        let (mut bad, mut all, mut plain) = (0usize, 0usize, 0usize);
        for c in char::decode_utf16(units) {
            let c = c.map_or(0, u32::from);
            all += 1;
            plain += usize::from(matches!(c, 0x09..=0x7E));
            bad += usize::from(!is_text(c) || matches!(c, 0xE000..=0xF8FF | 0xFFF0..=0xFFFF));
        }
        // the head may end within a pair
        if bad <= 1 + all / 500 && plain * 50 >= all && plain > 1 && best.is_none_or(|(most, _)| plain > most) {
            best = Some((plain, big));
        }
    }
    best.map(|(_, big)| Kind::Known(if big { UTF_16BE } else { UTF_16LE }))
}

fn unit32(four: &[u8], big: bool) -> u32 {
    let [a, b, c, d] = [four[0], four[1], four[2], four[3]].map(u32::from);
    if big { a << 24 | b << 16 | c << 8 | d } else { d << 24 | c << 16 | b << 8 | a }
}

/// The text of bytes in an encoding, and the places that are no text in it.
pub(super) fn decode(bytes: &[u8], encoding: Encoding) -> (Mapped, Vec<Span>) {
    match encoding.kind {
        Kind::Known(charset) if charset == UTF_8 => utf8(bytes, encoding.bom),
        Kind::Known(charset) => legacy(bytes, encoding.bom, charset),
        Kind::Utf32 { big } => utf32(bytes, encoding.bom, big),
    }
}

fn utf8(bytes: &[u8], bom: usize) -> (Mapped, Vec<Span>) {
    let mut out = MappedBuilder::default();
    let mut damaged = Vec::new();
    let mut at = bom;
    for chunk in bytes[bom..].utf8_chunks() {
        out.linear(chunk.valid(), at);
        at += chunk.valid().len();
        let bad = chunk.invalid().len();
        if bad > 0 {
            let span = Span::new(at, at + bad);
            out.atom("\u{FFFD}", span);
            damaged.push(span);
            at += bad;
        }
    }
    (out.finish(), super::join(damaged))
}

fn utf32(bytes: &[u8], bom: usize, big: bool) -> (Mapped, Vec<Span>) {
    let mut out = MappedBuilder::default();
    let mut damaged = Vec::new();
    let mut buffer = [0u8; 4];
    let mut at = bom.min(bytes.len());
    for four in bytes[at..].chunks(4) {
        let span = Span::new(at, at + four.len());
        at += four.len();
        match (four.len() == 4).then(|| char::from_u32(unit32(four, big))).flatten() {
            Some(c) => out.atom(c.encode_utf8(&mut buffer), span),
            None => {
                out.atom("\u{FFFD}", span);
                damaged.push(span);
            }
        }
    }
    (out.finish(), super::join(damaged))
}

/// Legacy encodings: fed byte by byte, so that each character is known with the bytes that made it. ASCII runs stay linear.
fn legacy(bytes: &[u8], bom: usize, charset: &'static Charset) -> (Mapped, Vec<Span>) {
    let mut out = MappedBuilder::default();
    let mut damaged = Vec::new();
    let mut decoder = charset.new_decoder_without_bom_handling();
    let mut buffer = [0u8; 64];
    let mut from = bom;
    for at in bom..=bytes.len() {
        let last = at == bytes.len();
        let input = if last { &[][..] } else { &bytes[at..at + 1] };
        let (_, _, written, bad) = decoder.decode_to_utf8(input, &mut buffer, last);
        let end = (at + 1).min(bytes.len());
        if written > 0 {
            let text = std::str::from_utf8(&buffer[..written]).unwrap_or("\u{FFFD}");
            let span = Span::new(from.min(end.saturating_sub(1)), end);
            if span.len() == 1 && text.len() == 1 {
                out.linear(text, span.start);
            } else {
                out.atom(text, span);
            }
            if bad {
                damaged.push(span);
            }
            from = end;
        }
    }
    (out.finish(), super::join(damaged))
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::*;
    use encoding_rs as e;

    const JA: &str = "障害報告：本番サーバーで障害が発生しました。原因は設定の誤りです。再起動で復旧しました。\n対応：監視を追加する。\n";
    const ZH: &str = "我们的数据库在凌晨发生了故障，原因是磁盘空间已满，随后切换到备用节点。\n";
    const HANT: &str = "資料庫在凌晨發生故障，原因是磁碟空間已滿，隨後切換到備用節點，服務恢復正常。\n";
    const KO: &str = "운영 서버에서 장애가 발생했습니다. 원인은 설정 오류였고 재시작으로 복구했습니다.\n";
    const RU: &str = "Сервер базы данных перестал отвечать, потому что закончилось место на диске. Мы перезапустили его.\n";
    const UK: &str = "Сервер бази даних перестав відповідати, бо закінчилося місце на диску. Її перезапустили інженери.\n";
    const HU: &str = "Az adatbázis-kiszolgáló leállt, mert elfogyott a lemezterület. Őrült hibák jöttek, újraindítottuk a fürtöt.\n";
    const PL: &str =
        "Serwer bazy danych przestał odpowiadać, ponieważ skończyło się miejsce na dysku. Zespół ręcznie go uruchomił, żeby działał.\n";
    const FR: &str = "Le serveur a été redémarré à 14 h 05 après l’épuisement de la mémoire ; la cause était une fuite.\n";
    const EL: &str = "Ο διακομιστής της βάσης δεδομένων σταμάτησε επειδή γέμισε ο δίσκος. Τον επανεκκινήσαμε αμέσως.\n";
    const TR: &str =
        "Veritabanı sunucusu durdu çünkü disk doldu. Sorunu gidermek için sunucuyu yeniden başlattık, ardından izleme ekledik.\n";
    const HE: &str = "שרת מסד הנתונים הפסיק להגיב כי נגמר המקום בדיסק. הפעלנו אותו מחדש והשירות חזר.\n";
    const AR: &str = "توقف خادم قاعدة البيانات عن الاستجابة بسبب امتلاء القرص. أعدنا تشغيله وعادت الخدمة.\n";
    const LT: &str =
        "Duomenų bazės serveris nustojo veikti, nes pritrūko vietos diske. Mes jį paleidome iš naujo ir įdėjome stebėjimą šiąnakt.\n";
    const TH: &str = "เซิร์ฟเวอร์ฐานข้อมูลหยุดทำงานเพราะดิสก์เต็ม เราเริ่มระบบใหม่แล้วบริการกลับมาเป็นปกติ\n";

    /// Bytes are read as the text they encode, and each word of it leads back to its own bytes.
    fn leads_home(bytes: &[u8], text: &str, what: &str) {
        let s = Source::new("x", bytes.to_vec());
        assert_eq!(s.text().as_str(), text, "{what} was read as {}", s.encoding().name());
        assert!(s.damaged().is_empty() && !s.is_binary(), "{what}");
        let mut last = 0;
        for (at, c) in text.char_indices() {
            let span = s.text().span(at..at + c.len_utf8());
            assert!(span.start >= last && span.end > span.start && span.end <= bytes.len(), "{what}: {c:?} at {span:?}");
            assert!(s.slice(span).contains(c), "{what}");
            last = span.start;
        }
    }

    #[test]
    fn guessed() {
        let cases: [(&'static Charset, &str); 22] = [
            (e::SHIFT_JIS, JA),
            (e::EUC_JP, JA),
            (e::ISO_2022_JP, JA),
            (e::GBK, ZH),
            (e::GB18030, "我们的数据库发生了故障，原因是磁盘空间已满㐀𠀀，随后切换到备用节点。\n"),
            (e::BIG5, HANT),
            (e::EUC_KR, KO),
            (e::KOI8_R, RU),
            (e::KOI8_U, UK),
            (e::IBM866, RU),
            (e::ISO_8859_5, RU),
            (e::WINDOWS_1250, HU),
            (e::WINDOWS_1250, PL),
            (e::ISO_8859_2, PL),
            (e::WINDOWS_1251, RU),
            (e::WINDOWS_1252, FR),
            (e::WINDOWS_1253, EL),
            (e::WINDOWS_1254, TR),
            (e::WINDOWS_1255, HE),
            (e::WINDOWS_1256, AR),
            (e::WINDOWS_1257, LT),
            (e::WINDOWS_874, TH),
        ];
        for (charset, text) in cases {
            let (bytes, _, lossy) = charset.encode(text);
            assert!(!lossy, "{}", charset.name());
            leads_home(&bytes, text, charset.name());
        }
    }

    #[test]
    fn declared_where_bytes_alone_would_not_tell() {
        let short = "Größe: 3 °C, naïve\n";
        for (head, charset) in [
            ("<html><meta charset=\"iso-8859-15\">", e::ISO_8859_15),
            ("<?xml version='1.0' encoding='macintosh'?>", e::MACINTOSH),
            ("# -*- coding: windows-1257 -*-\n", e::WINDOWS_1257),
            ("Content-Type: text/plain; charset=ISO-8859-15\n\n", e::ISO_8859_15),
        ] {
            let text = format!("{head}{}", if charset == e::WINDOWS_1257 { "Pažeista sistema įjungta\n" } else { short });
            let (bytes, _, lossy) = charset.encode(&text);
            assert!(!lossy);
            leads_home(&bytes, &text, head);
            assert_eq!(Source::new("x", bytes.to_vec()).encoding().name(), charset.name().to_ascii_lowercase(), "{head}");
        }
        let text = "Привет\n\n vim: set ts=2 fileencoding=ibm866 :\n";
        leads_home(&e::IBM866.encode(text).0, text, "modeline");
        // a declaration that the bytes contradict does not hold
        let text = "<meta charset=\"euc-jp\"> déjà vu, déjà réparé";
        leads_home(text.as_bytes(), text, "UTF-8 declared as something else");
        let text = "charset=utf-8\nLe serveur a été redémarré.\n";
        leads_home(&e::WINDOWS_1252.encode(text).0, text, "something else declared as UTF-8");
    }

    #[test]
    fn wide_characters_with_and_without_a_mark() {
        for text in [FR, JA, RU, KO, "Root cause: őrült 😀 x\n"] {
            for mark in ["", "\u{feff}"] {
                let all = format!("{mark}{text}");
                let le: Vec<u8> = all.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let be: Vec<u8> = all.encode_utf16().flat_map(u16::to_be_bytes).collect();
                let le32: Vec<u8> = all.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
                let be32: Vec<u8> = all.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
                for (name, bytes) in [("utf-16le", le), ("utf-16be", be), ("utf-32le", le32), ("utf-32be", be32)] {
                    assert_eq!(Source::new("x", bytes.clone()).encoding().name(), name, "{text}");
                    leads_home(&bytes, text, name);
                }
            }
        }
    }

    #[test]
    fn dumps_are_no_text() {
        for bytes in [&b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"[..], b"PNG\r\n\x1a\n\0\0\0\rIHDR", b"\0\0\0\0"] {
            let s = Source::new("x", bytes.to_vec());
            assert!(s.is_binary(), "{bytes:?} as {}", s.encoding().name());
        }
    }
}
