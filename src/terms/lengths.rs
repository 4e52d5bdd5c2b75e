//! Lengths of documents as the ranking takes them: eight steps to each doubling. A browser is sent the lengths of all documents before it can rank any, and
//! a step is told in half the room; what a document is longer than another by less than a sixteenth says nothing about which answers better.

/// The step of a length: below 16 the length itself.
pub fn step(length: u32) -> u32 {
    let doublings = (u32::BITS - length.leading_zeros()).saturating_sub(4);
    8 * doublings + (length >> doublings)
}

/// The length that stands for all of a step: its middle.
pub fn of_step(step: u32) -> u32 {
    if step < 16 {
        return step;
    }
    let doublings = (step / 8 - 1).min(28);
    ((step % 8 + 8) << doublings) + (1 << doublings >> 1)
}

/// A length as the ranking takes it.
pub fn rounded(length: u32) -> u32 {
    of_step(step(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_in_order_and_near_what_they_stand_for() {
        let mut before = 0;
        for n in (0..5000).chain([60_000, 1 << 20, u32::MAX]) {
            let s = step(n);
            assert!(s >= before && step(of_step(s)) == s, "{n}");
            assert!(rounded(n).abs_diff(n) <= n / 16, "{n}");
            before = s;
        }
        assert_eq!((step(15), step(16), step(17), step(18), step(1023), of_step(63)), (15, 16, 16, 17, 63, 992));
    }
}
