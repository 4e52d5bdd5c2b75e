//! Where a corpus's caches lie, and what is remembered there of documents that are no postmortems.

use std::collections::BTreeMap;
use std::path::Path;

/// What is remembered of documents that are no postmortems, so that they are not read again: path to fingerprint and reason.
pub(super) type LeftOut = BTreeMap<String, (String, String)>;
/// The file it is remembered in.
pub(super) const LEFT_OUT: &str = "left-out.json";

/// The file in which the last walk is remembered.
pub(super) const WALK: &str = "walk.bin";

/// The present, in nanoseconds since 1970.
pub(super) fn nanoseconds_now() -> i128 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i128)
}

/// A corpus's folder below the cache: its name, and a hash of where it lies.
pub(super) fn folder_name(root: &Path) -> String {
    use sha2::{Digest, Sha256};
    let full = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
    let name = full
        .file_name()
        .map(|n| n.to_string_lossy().chars().filter(|c| c.is_ascii_alphanumeric()).take(24).collect::<String>())
        .unwrap_or_default();
    let digest = Sha256::digest(full.as_os_str().as_encoded_bytes());
    format!("{name}-{:02x}{:02x}{:02x}{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2], digest[3], digest[4], digest[5])
}

/// What was remembered, where it was of the same knowledge.
pub(super) fn read_left_out(path: &Path, hash: &str) -> LeftOut {
    let read = std::fs::read(path).ok().and_then(|b| serde_json::from_slice::<(String, LeftOut)>(&b).ok());
    read.filter(|(h, _)| h == hash).map(|(_, l)| l).unwrap_or_default()
}

/// Losing this memory costs a second reading, nothing else: faults are no errors.
pub(super) fn write_left_out(path: &Path, hash: &str, left_out: &LeftOut) {
    let Some(dir) = path.parent() else { return };
    let Ok(bytes) = serde_json::to_vec(&(hash, left_out)) else { return };
    if let Ok(mut file) = tempfile::NamedTempFile::new_in(dir)
        && std::io::Write::write_all(&mut file, &bytes).is_ok()
    {
        let _ = file.persist(path);
    }
}
