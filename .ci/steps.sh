# Sourced by `.ci/run` and `.ci/nightly`: runs every step even if another fails, and sums up the results.
reports=$(mktemp -d)
trap 'rm -rf "$reports" ${in_memory:+"$in_memory"}' EXIT
export CI_RUN_MARK="ci-$$-$RANDOM" # inherited by every process, so that leftover ones are found
number=0

# Runs a command as a named step.
step() {
  local name=$1 started=$SECONDS status=0
  shift
  number=$((number + 1))
  export TEST_REPORT_DIR="$reports/$number"
  mkdir "$TEST_REPORT_DIR"
  printf '\n══ %s\n' "$name"
  "$@" || status=$?
  [ "$status" -eq 0 ] || node .ci/failures.mjs "$TEST_REPORT_DIR"
  printf '%s\n%s\n' "$name" "$status" >"$TEST_REPORT_DIR/step"
  printf '══ %s: %s, %s s\n' "$name" "$([ "$status" -eq 0 ] && echo passed || echo "FAILED ($status)")" "$((SECONDS - started))"
}

# Counts a step that cannot run here as skipped.
leave_out() {
  local name=$1 reason=$2
  number=$((number + 1))
  mkdir "$reports/$number"
  printf '%s\n0\n' "$name" >"$reports/$number/step"
  printf '{ "numPendingTests": 1 }' >"$reports/$number/left-out.json"
  printf '\n══ %s: left out, %s\n' "$name" "$reason"
}

# Ends leftover processes and prints the sums; the last line has the totals. Fails if anything failed.
finish() {
  step "nothing left running" node .ci/leftovers.mjs
  printf '\n'
  node .ci/sums.mjs "$reports"
}
