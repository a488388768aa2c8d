# shellcheck shell=sh
# How ./dev says what it does, and what failed.

say() {
  printf '== %s\n' "$*" >&2
}

# step NAME ADVICE COMMAND…: runs the command. If it fails, prints the step's name and the advice.
step() {
  name=$1
  advice=$2
  shift 2
  say "$name"
  status=0
  "$@" || status=$?
  if [ "$status" -ne 0 ]; then
    printf '\n./dev: the step "%s" failed (%s: exit status %s). See the output above.\n       %s\n' \
      "$name" "$1" "$status" "$advice" >&2
    exit "$status"
  fi
}
