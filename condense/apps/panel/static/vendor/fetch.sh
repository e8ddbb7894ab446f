#!/bin/sh
# Fetch what stands in this folder from npm, at these versions.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
cd "$there"
npm pack --silent htm@3.1.1 preact@11.2.0 > /dev/null
mkdir htm preact
tar xzf htm-3.1.1.tgz -C htm
tar xzf preact-11.2.0.tgz -C preact
cp htm/package/preact/standalone.mjs "$here/htm-preact.mjs"
cp htm/package/LICENSE "$here/LICENSE-htm"
cp preact/package/LICENSE "$here/LICENSE-preact"
