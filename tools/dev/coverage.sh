# shellcheck shell=sh
# `./dev coverage`: how much of src/ its unit tests execute.

# The folders whose coverage is shown by default.
coverage_folders="terminal session extension keeper"

# coverage FOLDER…: runs the unit tests of these folders of src/, and shows for each file how many of
# its lines and branches they executed.
coverage() {
  targets=
  for folder in "$@"; do
    if ! has_unit_tests "$folder"; then
      echo "./dev: there are no unit tests in src/$folder" >&2
      exit 2
    fi
    targets="$targets ${folder}_tests"
  done
  # shellcheck disable=SC2086 # The targets are words.
  build coverage --target $targets
  rm -rf build/coverage/profiles
  # The libraries' objects are named beside the programs. Otherwise a file that no test links would be
  # left out instead of counting as not executed. (llvm-cov cannot read a library in which they are not
  # aligned.)
  objects=
  for folder in "$@"; do
    for object in build/coverage/src/"$folder/CMakeFiles/holdfast_$folder.dir"/*.cc.o; do
      objects="$objects -object $object"
    done
    for program in build/coverage/src/"$folder"/*_test; do
      objects="$objects -object $program"
      step "coverage: $(basename "$program")" "See above." \
        env LLVM_PROFILE_FILE="$root/build/coverage/profiles/%p.profraw" \
        "$program" --gtest_brief=1 --gtest_filter="-$measuring_suites"
    done
  done
  step "coverage: merge the counts" "See above." \
    llvm-profdata-19 merge -sparse -o build/coverage/all.profdata build/coverage/profiles
  for folder in "$@"; do
    step "coverage: src/$folder" "See above." report_coverage "$folder"
  done
}

# report_coverage FOLDER: a table of the folder's files. llvm-cov warns of inline functions that a
# file does not use; its messages are shown only if it fails.
report_coverage() {
  # shellcheck disable=SC2086 # The objects are words, the first one without its flag.
  if ! llvm-cov-19 report ${objects# -object } -instr-profile=build/coverage/all.profdata \
    -show-region-summary=false -ignore-filename-regex='(_test\.cc|/test_[^/]*)$' "$root/src/$1/" \
    >build/coverage/report 2>build/coverage/messages; then
    cat build/coverage/messages >&2
    return 1
  fi
  # shellcheck disable=SC2016 # The dollars are awk's.
  awk -v folder="src/$1" '
    function row(name) { return sprintf("%-40s %7s %8s %9s %8s", name, $5, $7, $8, $10) }
    $1 == "Filename" { printf "%-40s %7s %8s %9s %8s\n", folder, "lines", "executed", "branches", "executed"; fflush() }
    NF == 10 && $4 ~ /%|^-$/ && $1 != "TOTAL" { print row("  " $1) | "sort" }
    $1 == "TOTAL" { close("sort"); print row("all of " folder) "\n" }
  ' build/coverage/report
}
