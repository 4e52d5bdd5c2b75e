//! Lists of numbers as short texts: what the browser's search is sent is mostly these.
//!
//! A binary arithmetic coder whose odds follow what it has written, for each kind of number and place in it by itself, so that no table needs to be sent.
//! Its bytes become characters of ASCII, thirteen bits two of them, which mean themselves in a JSON string; compressing them once more gains and loses
//! nothing. `templates/search.js` reads what this writes, step by step the same.

/// So many characters stand for digits: those from `#` to `~` but `\\`.
const DIGITS: u32 = 91;
/// Nodes of the odds of one kind of number.
const NODES: usize = 320;
/// Nodes of a symbol's tree.
const SYMBOLS: u32 = 255;

/// Writes numbers.
pub struct Coder {
    low: u32,
    high: u32,
    bytes: Vec<u8>,
    /// Odds that a bit is set, of 65,536, and how often it was asked.
    odds: Vec<(u16, u8)>,
}

impl Default for Coder {
    fn default() -> Coder {
        Coder { low: 0, high: u32::MAX, bytes: Vec::new(), odds: Vec::new() }
    }
}

impl Coder {
    /// Writes a bit by the odds of a node.
    fn node(&mut self, node: usize, bit: bool) {
        if self.odds.len() <= node {
            self.odds.resize((node / NODES + 1) * NODES, (1 << 15, 0));
        }
        let (odds, asked) = &mut self.odds[node];
        let was = *odds;
        let rate = u32::from(*asked) / 2 + 1;
        *asked = (*asked + 1).min(12);
        *odds = if bit { was + ((u32::from(u16::MAX - was)) >> rate) as u16 } else { was - (was >> rate) };
        self.split(u32::from(was >> 4).clamp(1, 4095), bit);
    }

    /// Writes a bit by odds of 4,096.
    fn split(&mut self, odds: u32, bit: bool) {
        let middle = self.low + ((self.high - self.low) >> 12) * odds;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 255;
        }
    }

    /// Writes whether something is so.
    pub fn bit(&mut self, kind: usize, bit: bool) {
        self.node(kind * NODES, bit);
    }

    /// Writes any number, small ones in fewer bits.
    pub fn number(&mut self, kind: usize, n: u32) {
        let (base, n) = (kind * NODES, u64::from(n) + 1);
        let size = n.ilog2() as usize;
        (0..=size).for_each(|i| self.node(base + i, i < size));
        let mut above = 1;
        for i in (0..size).rev() {
            let bit = n >> i & 1 > 0;
            // what stands behind the third digit is as good as even
            if above < 8 {
                self.node(base + 40 + size * 8 + above, bit)
            } else {
                self.split(1 << 11, bit)
            }
            above = above * 2 + usize::from(bit);
        }
    }

    /// Writes a number of which some values are usual; those below 255 are told apart singly.
    pub fn symbol(&mut self, kind: usize, n: u32) {
        let (base, shown) = (kind * NODES, n.min(SYMBOLS));
        let mut above = 1;
        for i in (0..8).rev() {
            let bit = shown >> i & 1 > 0;
            self.node(base + above, bit);
            above = above * 2 + usize::from(bit);
        }
        if shown == SYMBOLS {
            let rest = n - SYMBOLS;
            (0..32).rev().for_each(|i| self.split(1 << 11, rest >> i & 1 > 0));
        }
    }

    /// All that was written, as a JSON string. What stands behind its end counts as ones.
    pub fn text(mut self) -> String {
        self.bytes.push((self.low >> 24) as u8);
        let mut out = String::from("\"");
        let (mut bits, mut held) = (0u32, 0);
        let mut two = |bits: u32| [bits % DIGITS, bits / DIGITS].into_iter().for_each(|d| digit(&mut out, d));
        for byte in self.bytes {
            bits |= u32::from(byte) << held;
            held += 8;
            if held >= 13 {
                two(bits & 8191);
                bits >>= 13;
                held -= 13;
            }
        }
        if held > 0 {
            two((bits | u32::MAX << held) & 8191);
        }
        out.push('"');
        out
    }
}

/// Appends the character of a digit.
fn digit(out: &mut String, d: u32) {
    let code = b'#' + u8::try_from(d % DIGITS).unwrap_or_default();
    out.push(char::from(code + u8::from(code >= b'\\')));
}

/// Numbers below this are one character …
const SMALL: u32 = 64;
/// … those below this are two, and all others six.
const MIDDLE: u32 = SMALL + (DIGITS - SMALL - 1) * DIGITS;

/// Appends a number by itself, for lists that are too short for any odds.
pub fn pack(out: &mut String, n: u32) {
    if n < SMALL {
        digit(out, n);
    } else if n < MIDDLE {
        digit(out, SMALL + (n - SMALL) / DIGITS);
        digit(out, (n - SMALL) % DIGITS);
    } else {
        digit(out, DIGITS - 1);
        (0..5).rev().for_each(|place| digit(out, u32::try_from(u64::from(n) / 91u64.pow(place) % 91).unwrap_or_default()));
    }
}

/// Numbers by themselves.
pub fn packed(numbers: impl IntoIterator<Item = u32>) -> String {
    let mut out = String::new();
    numbers.into_iter().for_each(|n| pack(&mut out, n));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_characters_that_mean_themselves() {
        assert_eq!(packed([0, 1, 57, 63]), "#$]c");
        for (n, size) in [(0, 1), (SMALL - 1, 1), (SMALL, 2), (MIDDLE - 1, 2), (MIDDLE, 6), (u32::MAX, 6)] {
            assert_eq!(packed([n]).len(), size, "{n}");
        }
        let mut coder = Coder::default();
        for n in 0..4000 {
            coder.number(n as usize % 3, n * n);
            coder.symbol(3, n % 300);
            coder.bit(4, n % 7 == 0);
        }
        for text in [format!("\"{}\"", packed(0..4000)), coder.text()] {
            assert_eq!(serde_json::from_str::<String>(&text).unwrap().len(), text.len() - 2);
            assert!(text.bytes().all(|b| (b' '..0x7f).contains(&b)));
        }
    }

    #[test]
    fn what_is_usual_is_short() {
        let size = |make: &dyn Fn(&mut Coder, u32)| {
            let mut coder = Coder::default();
            (0..8000).for_each(|n| make(&mut coder, n));
            coder.text().len()
        };
        let even = size(&|c, n| c.symbol(0, n.wrapping_mul(2_654_435_761) >> 24));
        assert!((8000 * 8 * 2 / 13..10_500).contains(&even), "{even}");
        assert!(size(&|c, _| c.number(0, 3)) < 60);
        assert!(size(&|c, n| c.bit(0, n % 16 == 0)) < 600);
    }
}
