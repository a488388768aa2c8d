# shellcheck shell=sh
# Installs what is missing: Debian packages, Node, npm packages; builds the web client and the runner.

# Debian packages for building and for testing.
build_packages="g++ cmake ninja-build ccache pkg-config libboost1.81-dev libboost-json1.81-dev libspdlog-dev libfmt-dev \
libxxhash-dev libzstd-dev libcli11-dev libssl-dev libsqlite3-dev libtomlplusplus-dev libre2-dev libgtest-dev libbenchmark-dev libvterm-dev"
test_packages="clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev shellcheck python3 \
chromium firefox-esr vim vim-tiny neovim emacs-nox nano mc fzf whiptail htop less tmux procps python3-textual zsh fish mandoc"
# For the tests of the example extensions only: real VMs, sandboxes and a database.
example_packages="qemu-system-x86 bubblewrap redis-server cpio"
# Programs that the benchmarks compare with; missing ones are skipped. make and python3 compile
# node-pty.
bench_packages="tmux dtach make python3"
# What counts the coverage of the tests.
coverage_packages="clang-19 libclang-rt-19-dev llvm-19"
oldest_node="22.19.0"

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "Installing packages needs root. Run this as root, install sudo, or run this yourself:" >&2
    echo "  $*" >&2
    return 1
  fi
}

missing_packages() {
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf '%s ' "$package"
  done
}

install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends "$@"
}

need_packages() {
  # shellcheck disable=SC2068 # The lists are words.
  missing=$(missing_packages $@)
  [ -z "$missing" ] && return
  # shellcheck disable=SC2086 # So is this list.
  step "install $missing" "Check that this is Debian 12 and that it reaches its package mirror." install_packages $missing
}

node_is_new_enough() {
  command -v node >/dev/null || return 1
  version=$(node --version | sed 's/^v//')
  [ "$(printf '%s\n%s\n' "$oldest_node" "$version" | sort -V | head -n 1)" = "$oldest_node" ]
}

use_own_node() {
  for bin in "$root"/tools/node/node_modules/node-linux-*/bin; do
    if [ -x "$bin/node" ]; then export PATH="$bin:$PATH"; fi
  done
}

# npm treats the packages, one per architecture, as optional: it succeeds even if it installs none.
install_node() {
  npm ci --prefix tools/node --no-audit --no-fund && ls tools/node/node_modules/node-linux-*/bin/node
}

# Puts a recent enough Node first in the PATH. Installs one into tools/node if needed.
need_node() {
  use_own_node
  if node_is_new_enough; then return; fi
  command -v npm >/dev/null || need_packages npm
  step "install Node into tools/node" "Check that npm reaches its registry (npm ping)." install_node
  use_own_node
}

# need_modules DIR: installs the npm packages in DIR's lock file.
need_modules() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.installed" && return
  step "install the packages of $1" "Check that npm reaches its registry (npm ping)." \
    npm ci --prefix "$1" --no-audit --no-fund
  cp "$1/package-lock.json" "$1/node_modules/.installed"
}

# Everything that a build needs. The web client is part of the program.
need_to_build() {
  need_packages "$build_packages"
  need_node
  need_modules web
  need_web_client
  need_modules runner
  need_runner
}

# Builds the web client if it was never built or has changed since.
need_web_client() {
  changed=$(find web/src web/public web/scripts web/index.html web/*.json web/*.ts -newer web/dist/index.html 2>/dev/null) || changed=all
  [ -z "$changed" ] && return
  step "build the web client" "See above. For more: npm run check --prefix web" npm run --silent build --prefix web
}

# The same for the runner, which the daemon starts from files next to it.
need_runner() {
  changed=$(find runner/src runner/types runner/*.json runner/*.ts -newer runner/dist/runner.mjs 2>/dev/null) || changed=all
  [ -z "$changed" ] && return
  step "build the extension runner" "See above. For more: npm run check --prefix runner" npm run --silent build --prefix runner
}

setup() {
  need_packages "$build_packages" "$test_packages"
  need_to_build
  need_modules tests/oracle
  need_modules tests/browser
  need_modules tests/compatible
  need_modules tests/api
}
