//! Bytes as they are kept beside an index: numbers and texts one after the other, and the checksum by which files are known to be as they were
//! written.

/// Length and CRC-32: fast enough to be computed at every start.
pub(crate) fn checksum(data: &[u8]) -> u64 {
    let mut sum = Checksum::default();
    sum.add(data);
    sum.finish()
}

/// [`checksum`] of what comes in pieces.
#[derive(Default)]
pub(crate) struct Checksum {
    len: u64,
    crc: crc32fast::Hasher,
}

impl Checksum {
    pub fn add(&mut self, piece: &[u8]) {
        self.len += piece.len() as u64;
        self.crc.update(piece);
    }

    pub fn finish(self) -> u64 {
        self.len << 32 | u64::from(self.crc.finalize())
    }
}

/// Writes a text of any length, its length before it.
pub(crate) fn put_long(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}

/// Writes a text of less than 64 kB, its length before it.
pub(super) fn put(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u16).to_le_bytes());
    out.extend(text.as_bytes());
}

/// Reads numbers and texts one after the other; `None` where the bytes end or are no text.
pub(crate) struct Reader<'a> {
    pub data: &'a [u8],
    /// Where it stands.
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let piece = self.data.get(self.at..self.at.checked_add(n)?)?;
        self.at += n;
        Some(piece)
    }
    pub fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|b| b[0])
    }
    pub fn u16(&mut self) -> Option<u16> {
        self.take(2).map(|b| u16::from_le_bytes([b[0], b[1]]))
    }
    pub fn u32(&mut self) -> Option<u32> {
        self.take(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }
    pub fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }
    pub fn str(&mut self) -> Option<&'a str> {
        let n = self.u16()? as usize;
        std::str::from_utf8(self.take(n)?).ok()
    }
    /// Where a text lies that [`put_long`] has written.
    pub fn long(&mut self) -> Option<std::ops::Range<usize>> {
        let n = self.u32()? as usize;
        let from = self.at;
        self.take(n)?;
        Some(from..self.at)
    }
    pub fn string(&mut self) -> Option<String> {
        self.str().map(str::to_string)
    }
}
