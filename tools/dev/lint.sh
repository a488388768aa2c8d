# shellcheck shell=sh
# The checks of the sources that run nothing.

sizes_advice="Split what is too large; CONTRIBUTING.md (Sizes) has the rules and the exceptions."
docs_advice="Run ./dev fmt for wide lines; for the others, name what exists. tools/check_docs has the rules."

# What shellcheck checks, with the parts of ./dev.
shell_scripts="dev .ci/run tools/check_layers tests/docs/notices tests/docs/wraps tests/layers/notices tests/sizes/notices"

sources() {
  find src tests bench -name node_modules -prune -o \( -name '*.h' -o -name '*.cc' \) -print
}

check_format() {
  sources | xargs clang-format-19 --dry-run --Werror
}

check_tidy() {
  find src -name '*.cc' ! -name '*_test.cc' | sort |
    xargs -P 2 -n 4 clang-tidy-19 -p build/tidy --quiet --warnings-as-errors='*' 2>build/tidy.log || {
    cat build/tidy.log
    return 1
  }
}

check_shell_scripts() {
  # shellcheck disable=SC2086 # The scripts are words.
  shellcheck --external-sources --check-sourced $shell_scripts
}

check_examples() {
  shellcheck examples/extensions/vms/build-image.sh examples/extensions/vms/guest/* &&
    runner/node_modules/.bin/tsc -p examples/extensions &&
    (cd examples/extensions && ../../runner/node_modules/.bin/biome check --error-on-warnings .)
}

# The checks that take seconds. `lint` adds clang-tidy, which takes minutes, so `test` skips it.
quick_lint() {
  step "lint: layers" "Include only headers of lower layers; see docs/architecture.md." tools/check_layers src
  step "lint: sizes" "$sizes_advice" tools/check_sizes
  step "lint: docs" "$docs_advice" tools/check_docs
  step "lint: shell scripts" "Follow shellcheck's advice." check_shell_scripts
  step "lint: web" "Run ./dev fmt, then fix what is left." npm run --silent check --prefix web
  step "lint: runner" "Fix the errors above. To repeat: npm run check --prefix runner" npm run --silent check --prefix runner
  step "lint: examples" "Run ./dev fmt, then fix what is left." check_examples
  step "lint: format" "Run ./dev fmt." check_format
}

lint() {
  quick_lint
  step "configure tidy" "If a package is missing, run ./dev setup." cmake --preset tidy -Wno-dev
  step "lint: clang-tidy" "Fix the warnings above, or add a NOLINT with the reason." check_tidy
}

fmt() {
  need_packages "$test_packages"
  sources | xargs clang-format-19 -i
  tools/check_docs --wrap
  need_node
  need_modules web
  npm run --silent format --prefix web
  need_modules runner
  npm run --silent format --prefix runner
  (cd examples/extensions && ../../runner/node_modules/.bin/biome check --write .)
}
