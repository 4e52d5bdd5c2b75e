//! A corpus of made incidents on the disk.

use crate::made::Maker;
use std::path::Path;

/// Writes the first `count` incidents below a folder; tells how many bytes they have.
pub fn write(maker: &Maker, corpus: &Path, count: usize) -> std::io::Result<usize> {
    let mut bytes = 0;
    for n in 0..count {
        let (path, text) = maker.document(n);
        let path = corpus.join(path);
        path.parent().map(std::fs::create_dir_all).transpose()?;
        bytes += text.len();
        std::fs::write(path, text)?;
    }
    Ok(bytes)
}
