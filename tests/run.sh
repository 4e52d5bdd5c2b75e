#!/usr/bin/env bash
# Formatting, lints and all tests; installs what they need (Chromium for the pages, axe-core for their accessibility) where it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v chromium >/dev/null && ! command -v google-chrome >/dev/null && [ -z "${CHROMIUM:-}" ]; then
  if command -v apt-get >/dev/null; then
    sudo=""
    [ "$(id -u)" = 0 ] || sudo="sudo"
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends chromium >/dev/null
  else
    echo "The browser tests need Chromium: install it, or name one in CHROMIUM." >&2
    exit 1
  fi
fi

# axe-core is fetched and used, and is no part of the project; AXE names one that is there already
axe_version=4.14.1
if [ -z "${AXE:-}" ]; then
  AXE="$PWD/target/axe-core-$axe_version/package/axe.min.js"
  if [ ! -f "$AXE" ] && command -v npm >/dev/null; then
    mkdir -p "target/axe-core-$axe_version"
    (cd "target/axe-core-$axe_version" && npm pack --silent "axe-core@$axe_version" >/dev/null && tar xzf "axe-core-$axe_version.tgz")
  fi
fi
if [ ! -f "$AXE" ]; then
  echo "The test of accessibility needs axe-core $axe_version: install npm, or name its axe.min.js in AXE." >&2
  exit 1
fi
export AXE

cargo fmt --all --check
cargo clippy --all-targets --quiet -- --deny warnings
# the same cases every time: whether a change holds must not hang on luck (a plain `cargo test` tries new ones)
PROPTEST_RNG_SEED=20240229 cargo test --quiet
cargo test --quiet --test suite -- --ignored axe_finds_nothing
