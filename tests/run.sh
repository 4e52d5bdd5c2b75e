#!/usr/bin/env bash
# Formatting, lints and all tests; installs what they need (Chromium, for the search page) where it is missing.
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

cargo fmt --all --check
cargo clippy --all-targets --quiet -- --deny warnings
# the same cases every time: whether a change holds must not hang on luck (a plain `cargo test` tries new ones)
PROPTEST_RNG_SEED=20240229 cargo test --quiet
