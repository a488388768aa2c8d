# shellcheck shell=sh
# Runs the tests, the fuzz targets and the benchmarks.

skipped="$root/build/skipped-tests"

# Tests are never retried: one that passes the second time has found a race.
#
# run_tests PRESET LABEL JOBS. If HOLDFAST_BINARIES is set, end-to-end tests use that build's
# programs.
run_tests() {
  preset=$1
  label=$2
  jobs=$3
  results="$root/build/$preset/tests-$label.xml"
  step "tests: $label, ${HOLDFAST_BINARIES:-$preset}" "See above. To run one test: ctest --test-dir build/$preset -R NAME --output-on-failure" \
    ctest --test-dir "build/$preset" -L "$label" -j "$jobs" --output-on-failure --no-tests=error --timeout 600 --output-junit "$results"
  sed -n 's/.*<testcase name="\([^" ]*\)[^>]*status="notrun".*/\1/p' "$results" >>"$skipped"
}

# node_tests JOBS FILE…: runs the test files, and kills them if they hang. In a soak they take long.
node_limit=900
node_tests() {
  jobs=$1
  shift
  results="$root/build/tests-node.tap"
  timeout --kill-after 30 "$node_limit" node --test --test-force-exit --test-concurrency "$jobs" \
    --test-reporter spec --test-reporter-destination stdout --test-reporter tap --test-reporter-destination "$results" "$@" || return
  sed -n 's/^ *ok [0-9]* - \(.*\) # SKIP.*/\1/p' "$results" >>"$skipped"
}

# Lists the tests that were skipped because this machine lacks something. If HOLDFAST_STRICT is set,
# as in continuous integration, only the tests in tests/known_skips may be skipped.
check_skips() {
  printf '%s tests were skipped\n' "$(wc -l <"$skipped")" >&2
  sed 's/^/  /' "$skipped" >&2
  [ -z "${HOLDFAST_STRICT:-}" ] && return
  grep -v '^#' tests/known_skips >build/known-skips
  if grep -vxE -f build/known-skips "$skipped"; then
    echo "The tests above are not in tests/known_skips." >&2
    return 1
  fi
}

# The web client's unit tests, size and library.
test_web() {
  step "tests: web" "See above. To run one test: npm test --prefix web -- -t NAME" npm test --silent --prefix web
  step "tests: size of the web client" "Load rarely used parts later, with import()." npm run --silent size --prefix web
  step "tests: library of the web client" "Exported types must have names." npm run --silent build:library --prefix web -- --logLevel warn
}

test_browser() {
  # Tests that measure run alone.
  # shellcheck disable=SC2046 # The files are words.
  step "tests: browser" "See above. To run one test: node --test --test-name-pattern NAME tests/browser/*.test.mjs" \
    node_tests 3 $(find tests/browser -maxdepth 1 -name '*.test.mjs' ! -name 'flood.*' ! -name 'overview_cost.*' ! -name 'refresh.*')
  step "tests: browser, measuring" "See above." node_tests 1 tests/browser/flood.test.mjs tests/browser/overview_cost.test.mjs tests/browser/refresh.test.mjs
}

# Browser clients of the compatible protocol: a real xterm.js with the real daemon.
test_compatible() {
  step "tests: compatible" "See above. To run one test: node --test --test-name-pattern NAME tests/compatible/*.test.mjs" \
    node_tests 2 "tests/compatible/*.test.mjs"
}

# The HTTP API, and the commands that use it.
test_api() {
  step "tests: api" "See above. To run one test: node --test --test-name-pattern NAME tests/api/*.test.mjs" \
    node_tests 2 "tests/api/*.test.mjs"
}

# pi itself as the agent of a session. Its package takes 190 MB, so only the soak installs it.
test_bridge() {
  need_modules bridge/pi
  step "check: bridge/pi" "Fix the errors above." npm run --silent check --prefix bridge/pi
  step "tests: the bridge for pi" "See above." node_tests 1 tests/bridge/*.test.mjs
}

# Extensions: the runner alone, then with the real daemon and keeper.
test_extensions() {
  step "tests: runner" "See above. To run one test: npm test --prefix runner -- NAME" npm test --silent --prefix runner
  # Tests that measure run alone.
  # shellcheck disable=SC2046 # The files are words.
  step "tests: extensions" "See above. To run one test: node --test --test-name-pattern NAME tests/extensions/*.test.mjs" \
    node_tests 2 $(find tests/extensions -name '*.test.mjs' ! -name 'bounds.*' ! -name 'surface.*' ! -name 'trouble.*')
  step "tests: extensions, measuring" "See above." \
    node_tests 1 tests/extensions/bounds.test.mjs tests/extensions/surface.test.mjs tests/extensions/trouble.test.mjs
}

# The example extensions, with real VMs, sandboxes and Redis. The first run builds the VM image.
test_examples() {
  need_packages "$example_packages"
  step "tests: examples" "See above. To run one test: node --test --test-name-pattern NAME examples/extensions/test/*.test.mjs" \
    node_tests 1 "examples/extensions/test/*.test.mjs"
}

# fuzz SECONDS: runs every fuzz target for that long.
fuzz() {
  for target in build/asan/tests/fuzz/fuzz_*; do
    [ -x "$target" ] || continue
    name=$(basename "$target")
    mkdir -p "build/corpus/$name"
    step "fuzz: $name, $1 s" "The failing input is in build/. To repeat: $target INPUT" \
      "$target" -max_total_time="$1" -timeout=20 -rss_limit_mb=4096 -artifact_prefix="build/$name-" -verbosity=0 -print_funcs=0 \
      "build/corpus/$name"
  done
}

test_all() {
  setup
  mkdir -p build
  : >"$skipped"
  quick_lint
  # shellcheck disable=SC2086 # The targets are words.
  build release --target vt_tests $tests
  build asan --target unit_tests fuzzers
  run_tests release measuring 1
  # Unit tests run with the sanitizers. Those of vt also run without: only then they try every case.
  run_tests release/src/vt unit 2
  run_tests release server 2
  run_tests asan unit 2
  run_tests release end_to_end 2
  run_tests release survival 2
  run_tests release attacks 2
  run_tests release oracle 2
  test_web
  test_extensions
  test_examples
  test_browser
  test_compatible
  test_api
  fuzz "${HOLDFAST_FUZZ_SECONDS:-5}"
  step "skipped tests" "Install what they need, or add them to tests/known_skips with the reason." check_skips
  say "All tests passed."
}

bench() {
  export HOLDFAST_CORPORA="$root/build/corpora"
  for program in build/release/bench/*_bench; do
    step "bench: $(basename "$program")" "See above." "$program" "$@"
  done
  step "bench: extensions" "See above." node bench/extensions_bench.mjs
}

# Runs the long tests in full, and each fuzz target for five minutes.
soak() {
  setup
  # shellcheck disable=SC2086 # The targets are words.
  build release --target unit_tests $tests
  # shellcheck disable=SC2086 # The programs are words.
  build asan --target fuzzers server_tests $programs
  export HOLDFAST_SOAK=1
  node_limit=14400
  mkdir -p build
  : >"$skipped"
  run_tests release measuring 1
  run_tests release unit 2
  run_tests release end_to_end 1
  run_tests release survival 1
  run_tests release attacks 1
  run_tests release oracle 2
  run_tests asan server 2
  (export HOLDFAST_BINARIES="$root/build/asan" && run_tests release end_to_end 1)
  test_browser
  test_compatible
  test_api
  test_extensions
  test_examples
  test_bridge
  fuzz 300
  check_skips
}
