# shellcheck shell=bash
# packaging/test --slurm: packaging/slurm/sweep on a real Slurm, against the same sweep in one process. Sourced after
# packaging/common.sh and node.sh. Every check prints its result; the first that fails ends the trial.

trial_fails() {
    say "FAILED: $*"
    if [[ -f ${merge_log:-} ]]; then sed 's/^/  merge: /' "$merge_log" >&2; fi
    say "all files of this test are left in $trial"
    kept=yes
    exit 1
}

# Prints all rows of a sweep as CSV, in the order of the sweep.
rows() { "$cli" results --db "$1" --sweep "$(sweep_id "$2")" --output csv; }
sweep_id() { "$cli" sweep "$1" --db "$trial/none.sqlite" --dry-run --output json 2>/dev/null | sed -n 's/.*"sweep": "\(.*\)",/\1/p'; }

# submit STORE DOCUMENT OPTION...: submits a sweep, with a scratch folder that this test can read.
submit() {
    "$root/packaging/slurm/sweep" "$2" --db "$1" --cli "$cli" --scratch "$trial/scratch" --cpus 1 --time 10 "${@:3}" \
        2> >(tee "$trial/submitted" | sed 's/^/  /' >&2)
}

# Prints the folder of the last submission.
last_run() { sed -n 's/.* logs and shards in //p' "$trial/submitted"; }

same_rows() {
    rows "$1" "$3" >"$trial/one.csv" || trial_fails "$1 cannot be read"
    rows "$2" "$3" >"$trial/other.csv" || trial_fails "$2 cannot be read"
    diff "$trial/one.csv" "$trial/other.csv" >&2 || trial_fails "the merged store differs from a single process"
    [[ $(wc -l <"$trial/one.csv") == $(($4 + 1)) ]] || trial_fails "$(wc -l <"$trial/one.csv") lines; expected $4 points and a heading"
    say "equal: $4 rows of the merged store and of a single process"
}

# Prints how many experiments all tasks together had to run when they last started, from one line of each task's log.
tasks_had_to_run() {
    sed -n 's/.* \([0-9][0-9]*\) experiments\{0,1\} to run.*/\1/p' "$1"/shard-*.log | awk '{ sum += $1 } END { print sum + 0 }'
}

# --- A sweep from beginning to end -----------------------------------------------------------------------------------

whole_sweep() {
    local document=$root/packaging/slurm/trial-sweep.json
    "$cli" sweep "$document" --db "$trial/single.sqlite" >"$trial/single.log" 2>&1 || trial_fails "$(cat "$trial/single.log")"
    say "24 points in 4 shards"
    submit "$trial/shards.sqlite" "$document" --shards 4 --wait || trial_fails "exit code $?, expected 0"
    merge_log=$(last_run)/merge.log
    same_rows "$trial/single.sqlite" "$trial/shards.sqlite" "$document" 24
    submit "$trial/shards.sqlite" "$document" --shards 3 --wait || trial_fails "submitting a finished sweep: exit code $?, expected 0"
    grep -q 'nothing to do' "$trial/submitted" || trial_fails "a finished sweep was submitted again"
}

# --- Tasks that end before they have finished ------------------------------------------------------------------------

task_state() { squeue -h -r -j "$1" -o %T 2>/dev/null; }
task_is() { [[ $(task_state "$1") == "$2" ]]; }
task_has_gone() { [[ -z $(task_state "$1") ]]; }

# Prints how many points the running task has written to its own disk.
task_points() { "$cli" results --db "$1/shard.sqlite" --output csv 2>/dev/null | tail -n +2 | wc -l; }
task_is_in_the_middle() { (($(task_points "$1") > 0)); }

scratch_of() { printf '%s' "$trial/scratch/ringside-$(id -u)-$(basename "$1")-$2"; }

# Prints the id of this user's process that runs a shard.
sweeping() { pgrep -u "$(id -u)" -f "sweep $1/sweep.json .*--shard $2/" | head -n 1; }

interrupted_sweep() {
    local document=$trial/fine.json store=$trial/torn.sqlite run job missing again
    # The sweep is long enough to interrupt each task before it finishes. --exclusive runs one task at a time, whatever
    # the number of processors.
    sed 's/"interactive"/"fine"/; s/"count": 4/"count": 8/' "$root/packaging/slurm/trial-sweep.json" >"$document"
    say "48 longer points in 3 shards: task 1 is requeued, task 2 is cancelled, the program of task 3 is killed"
    submit "$store" "$document" --shards 3 --checkpoint 1 -- --exclusive || trial_fails "exit code $?"
    run=$(last_run) merge_log=$run/merge.log
    job=$(sed -n 's/.*job array \([0-9]*\):.*/\1/p' "$trial/submitted")

    wait_until 120 task_is_in_the_middle "$(scratch_of "$run" 1)" || trial_fails "task 1 finished no point in 120 s"
    scontrol requeue "${job}_1"
    wait_until 60 task_is "${job}_1" PENDING || trial_fails "task 1 was not requeued"
    say "task 1 waits in the queue again, with $(points_in "$run/shard-1.sqlite") of its 16 points"

    wait_until 120 task_is_in_the_middle "$(scratch_of "$run" 2)" || trial_fails "task 2 finished no point in 120 s"
    scancel "${job}_2"
    wait_until 60 task_has_gone "${job}_2" || trial_fails "task 2 did not end in 60 s"
    say "task 2 was cancelled, with $(points_in "$run/shard-2.sqlite") of its 16 points"

    wait_until 120 task_is_in_the_middle "$(scratch_of "$run" 3)" || trial_fails "task 3 finished no point in 120 s"
    kill -KILL "$(sweeping "$run" 3)"
    wait_until 60 task_has_gone "${job}_3" || trial_fails "task 3 did not end in 60 s"
    say "the program of task 3 was killed (kill -9), with $(points_in "$run/shard-3.sqlite") of its 16 points"

    # Slurm delays a requeued task by two minutes. This starts it at once.
    scontrol update "JobId=${job}_1" StartTime=now
    wait_until 300 no_job_left || trial_fails "the merge did not end in 300 s"
    sed 's/^/  /' "$merge_log" >&2
    grep -q 'start 2, ' "$run/shard-1.log" || trial_fails "task 1 was not started again"
    [[ $(cat "$run/shard-1.exit") == 0 ]] || trial_fails "task 1 did not finish after it was requeued"

    missing=$(sed -n 's/.* \([0-9]*\) experiments missing/\1/p' "$merge_log")
    ((missing > 0 && missing < 32)) || trial_fails "$missing points are missing; expected some, but not all, of the 32 points of tasks 2 and 3"
    say "submitted again: $missing points are missing"
    submit "$store" "$document" --shards 2 --wait || trial_fails "exit code $?, expected 0"
    merge_log=$(last_run)/merge.log
    again=$(tasks_had_to_run "$(last_run)")
    ((again == missing)) || trial_fails "the second submission ran $again points; expected the $missing missing points"
    say "the second submission ran $again points"
    "$cli" sweep "$document" --db "$trial/single.sqlite" >"$trial/single.log" 2>&1 || trial_fails "$(cat "$trial/single.log")"
    same_rows "$trial/single.sqlite" "$store" "$document" 48
}

points_in() { if [[ -e $1 ]]; then "$cli" results --db "$1" --output csv | tail -n +2 | wc -l; else echo 0; fi; }

# --- The whole test --------------------------------------------------------------------------------------------------

end_trial() {
    stop_node
    if [[ ! $kept ]]; then rm -rf "$trial"; fi
}

# slurm_trial PROGRAM: exit code 0 if all checks hold, 1 if not, 77 (nothing was tested) if Slurm is not available.
slurm_trial() {
    cli=$1 kept=""
    trial=$(mktemp -d /tmp/ringside-slurm-XXXXXX)
    trap end_trial EXIT
    # shellcheck disable=SC2086
    if ! ensure_packages $slurm_packages || ! start_node "$trial/node"; then
        say "NOT TESTED: Slurm cannot be installed or does not start; see the lines above (exit code 77)"
        exit 77
    fi
    say "$(slurmctld -V) on $(hostname -s), $(sinfo -h -o '%c processors')"
    whole_sweep
    interrupted_sweep
    say "every check passed, in $SECONDS s"
}
