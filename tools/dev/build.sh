# shellcheck shell=sh
# Builds targets of a preset.

# What `./dev build` builds: what runs. Tests are built by the commands that run them.
programs="holdfast holdfast-keeper"
tests="server_tests end_to_end_tests survival_tests attacks_tests oracle_tests"

build() {
  preset=$1
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    step "configure $preset" "If a package is missing, run ./dev setup." cmake --preset "$preset" -Wno-dev
  fi
  step "build $preset" "Fix the error above. To start from scratch: ./dev clean" \
    cmake --build --preset "$preset" "$@"
  if [ "$preset" = release ]; then
    ln -sf release/holdfast build/holdfast
    ln -sf release/holdfast-keeper build/holdfast-keeper
  fi
}

# build_only [PRESET [TARGET…]]: builds the targets; by default the programs.
build_only() {
  preset=${1:-release}
  [ $# -gt 0 ] && shift
  if [ "$preset" = asan ]; then need_packages "$test_packages"; fi
  if [ $# -gt 0 ]; then
    build "$preset" --target "$@"
  else
    # shellcheck disable=SC2086 # The programs are words.
    build "$preset" --target $programs
  fi
}
