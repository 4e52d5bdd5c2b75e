//! Lists the lexicons, patterns and templates and embeds them into the program. It parses nothing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn list(folder: &Path, below: &str, out: &mut Vec<(String, PathBuf)>) {
    println!("cargo:rerun-if-changed={}", folder.display());
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if path.is_dir() {
            list(&path, &format!("{name}/"), out);
        } else {
            out.push((name, path));
        }
    }
}

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let mut code = String::new();
    // FNV-1a over names and contents: enough to tell one set of tables from another
    let mut knowledge = 0xcbf2_9ce4_8422_2325_u64;
    for (name, folder, wanted, what) in [
        ("LEXICONS", "src/lang/data", ".yaml", "Lexicons, the concepts' meanings and the jargon."),
        ("PATTERNS", "src/pattern/data", ".yaml", "The pattern catalogue."),
        ("TEMPLATES", "templates", "", "Templates, style sheets and scripts of the site."),
    ] {
        let mut files = Vec::new();
        list(&root.join(folder), "", &mut files);
        files.retain(|(name, _)| name.ends_with(wanted) && !name.ends_with('~') && !name.starts_with('.'));
        files.sort();
        writeln!(code, "/// {what}\npub const {name}: &[Embedded] = &[").expect("writing to a string");
        for (name, path) in files {
            if wanted == ".yaml" {
                let content = fs::read(&path).expect("a listed file can be read");
                for byte in name.bytes().chain([0]).chain(content) {
                    knowledge = (knowledge ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
                }
            }
            writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string()).expect("writing to a string");
        }
        code.push_str("];\n");
    }
    writeln!(code, "/// Hash of the lexicons and patterns.\npub const KNOWLEDGE: &str = \"{knowledge:016x}\";")
        .expect("writing to a string");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("embedded.rs"), code).expect("the build folder can be written");
}
