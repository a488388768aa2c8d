# shellcheck shell=sh
# `./dev check`: checks what has changed.

# Suites that measure, and unit tests that try so many cases that they take long. `./dev check` leaves
# them out.
measuring_suites='*MeasuringTest.*'
long_suites='*LawTest.*:HistoryCrashTest.*:HistoryWidthTest.*:OtherSizeTest.*:DamageTest.*'

# The files that differ from the point where this branch left main, also those not committed yet.
changed_files() {
  base=$(git merge-base HEAD main 2>/dev/null || git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD)
  {
    git diff --name-only "$base"
    git ls-files --others --exclude-standard
  } | sort -u
}

# changed_under REGULAR_EXPRESSION: the changed files that match and still exist.
changed_under() {
  printf '%s\n' "$changed_now" | grep -E "$1" | while read -r file; do
    if [ -e "$file" ]; then printf '%s\n' "$file"; fi
  done
}

# has_changed REGULAR_EXPRESSION: whether a file that matches has changed or is gone.
has_changed() {
  printf '%s\n' "$changed_now" | grep -qE "$1"
}

# The folders of src/ in which something has changed, or whose unit tests compare a changed page with
# the code.
changed_folders() {
  {
    printf '%s\n' "$changed_now" | sed -n 's,^src/\([^/]*\)/.*,\1,p'
    if has_changed '^docs/operations\.md$'; then echo config; fi
    if has_changed '^(docs/protocol\.md$|tests/golden/)'; then echo wire; fi
  } | sort -u
}

has_unit_tests() {
  grep -q '^holdfast_test(' "src/$1/CMakeLists.txt" 2>/dev/null
}

# check_folders FOLDER…: compiles these folders of src/, and builds and runs the unit tests in them.
check_folders() {
  targets=
  for folder in "$@"; do
    [ -d "src/$folder" ] || continue
    if has_unit_tests "$folder"; then
      targets="$targets ${folder}_tests"
    elif [ "$folder" = daemon ]; then
      targets="$targets holdfast_program"
    else
      targets="$targets holdfast_$folder"
    fi
  done
  # shellcheck disable=SC2086 # The targets are words.
  build release --target $targets
  for folder in "$@"; do
    for program in build/release/src/"$folder"/*_test; do
      [ -x "$program" ] || continue
      step "check: $(basename "$program")" "See above. To run one test: $program --gtest_filter=NAME" \
        "$program" --gtest_brief=1 --gtest_filter="-$measuring_suites:$long_suites"
    done
  done
}

# Checks what has changed, and nothing else. What takes long is left to `./dev test`.
check() {
  began=$(date +%s)
  changed_now=$(changed_files)
  if [ -z "$changed_now" ]; then
    say "Nothing has changed since main."
    return
  fi
  sources_now=$(changed_under '^(src|tests|bench)/.*\.(h|cc)$')
  folders_now=$(changed_folders)
  need_packages "$build_packages clang-format-19 shellcheck python3"
  if [ -n "$sources_now" ]; then
    # shellcheck disable=SC2086 # The files are words.
    step "check: format" "Run ./dev fmt." clang-format-19 --dry-run --Werror $sources_now
  fi
  if [ -n "$folders_now" ]; then
    step "check: layers" "Include only headers of lower layers; see docs/architecture.md." tools/check_layers src
  fi
  if has_changed '^(src|tests|bench|web/src|runner/src|CONTRIBUTING\.md|tools/check_sizes)'; then
    step "check: sizes" "$sizes_advice" tools/check_sizes
  fi
  if has_changed '\.md$|\.(h|cc)$|^tools/check_docs$'; then
    step "check: docs" "$docs_advice" tools/check_docs
  fi
  if has_changed '^(dev|\.ci/run|tools/dev/.*|tools/check_layers|tests/.*/notices|tests/docs/wraps)$'; then
    step "check: shell scripts" "Follow shellcheck's advice." check_shell_scripts
  fi
  need_node
  for package in web runner; do
    if has_changed "^$package/"; then
      need_modules "$package"
      step "check: $package" "Run ./dev fmt, then fix what is left." npm run --silent check --prefix "$package"
    fi
  done
  if has_changed '^examples/extensions/'; then
    need_modules runner
    step "check: examples" "Run ./dev fmt, then fix what is left." check_examples
  fi
  if [ -n "$folders_now" ]; then
    need_to_build
    # shellcheck disable=SC2086 # The folders are words.
    check_folders $folders_now
  fi
  say "Everything that was checked is right, after $(($(date +%s) - began)) s. ./dev test runs all tests."
}
