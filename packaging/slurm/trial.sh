# shellcheck shell=bash
# packaging/test --slurm: packaging/slurm/sweep on a real Slurm, against the same sweep in one process. Sourced after
# packaging/common.sh and node.sh. Every check prints its result; the first that fails ends the trial.

trial_fails() {
    say "FAILED: $*"
    if [[ -f ${merge_log:-} ]]; then sed 's/^/  merge: /' "$merge_log" >&2; fi
    say "everything is left in $trial"
    kept=yes
    exit 1
}

# Everything of a sweep, in its order, as text.
rows() { "$cli" results --db "$1" --sweep "$(sweep_id "$2")" --output csv; }
sweep_id() { "$cli" sweep "$1" --db "$trial/none.sqlite" --dry-run --output json 2>/dev/null | sed -n 's/.*"sweep": "\(.*\)",/\1/p'; }

# submit STORE DOCUMENT OPTION...: with a scratch folder in which a trial can look.
submit() {
    "$root/packaging/slurm/sweep" "$2" --db "$1" --cli "$cli" --scratch "$trial/scratch" --cpus 1 --time 10 "${@:3}" \
        2> >(tee "$trial/submitted" | sed 's/^/  /' >&2)
}

# The folder of the submission that was announced last.
last_run() { sed -n 's/.* logs and shards in //p' "$trial/submitted"; }

same_rows() {
    rows "$1" "$3" >"$trial/one.csv" || trial_fails "$1 cannot be read"
    rows "$2" "$3" >"$trial/other.csv" || trial_fails "$2 cannot be read"
    diff "$trial/one.csv" "$trial/other.csv" >&2 || trial_fails "the merged store differs from a single process"
    [[ $(wc -l <"$trial/one.csv") == $(($4 + 1)) ]] || trial_fails "$4 points and a heading were expected"
    say "equal: $4 rows of the merged store and of a single process"
}

# One number for each task, added: how many experiments they found to run when they (last) started.
tasks_had_to_run() {
    sed -n 's/.* \([0-9][0-9]*\) experiments\{0,1\} to run.*/\1/p' "$1"/shard-*.log | awk '{ sum += $1 } END { print sum + 0 }'
}

# --- A sweep from beginning to end -----------------------------------------------------------------------------------

whole_sweep() {
    local document=$root/packaging/slurm/trial-sweep.json
    "$cli" sweep "$document" --db "$trial/single.sqlite" >"$trial/single.log" 2>&1 || trial_fails "$(cat "$trial/single.log")"
    say "24 points in 4 shards"
    submit "$trial/shards.sqlite" "$document" --shards 4 --wait || trial_fails "exit code $?, 0 was expected"
    merge_log=$(last_run)/merge.log
    same_rows "$trial/single.sqlite" "$trial/shards.sqlite" "$document" 24
    submit "$trial/shards.sqlite" "$document" --shards 3 --wait || trial_fails "a finished sweep: exit code $?"
    grep -q 'nothing to do' "$trial/submitted" || trial_fails "a finished sweep was submitted again"
}

# --- Tasks that are ended in the middle ------------------------------------------------------------------------------

task_state() { squeue -h -r -j "$1" -o %T 2>/dev/null; }
task_is() { [[ $(task_state "$1") == "$2" ]]; }
task_has_gone() { [[ -z $(task_state "$1") ]]; }

# Points that the running task has written to its own disk.
task_points() { "$cli" results --db "$1/shard.sqlite" --output csv 2>/dev/null | tail -n +2 | wc -l; }
task_is_in_the_middle() { (($(task_points "$1") > 0)); }

scratch_of() { printf '%s' "$trial/scratch/ringside-$(id -u)-$(basename "$1")-$2"; }

# The process that sweeps a shard, among our own.
sweeping() { pgrep -u "$(id -u)" -f "sweep $1/sweep.json .*--shard $2/" | head -n 1; }

interrupted_sweep() {
    local document=$trial/fine.json store=$trial/torn.sqlite run job missing again
    # Long enough to be hit in the middle, and one task at a time on any number of processors.
    sed 's/"interactive"/"fine"/; s/"count": 4/"count": 8/' "$root/packaging/slurm/trial-sweep.json" >"$document"
    say "48 longer points in 3 shards: task 1 is put back into the queue, task 2 is cancelled, task 3 loses its program"
    submit "$store" "$document" --shards 3 --checkpoint 1 -- --exclusive || trial_fails "exit code $?"
    run=$(last_run) merge_log=$run/merge.log
    job=$(sed -n 's/.*job array \([0-9]*\):.*/\1/p' "$trial/submitted")

    wait_until 120 task_is_in_the_middle "$(scratch_of "$run" 1)" || trial_fails "task 1 does not get anywhere"
    scontrol requeue "${job}_1"
    wait_until 60 task_is "${job}_1" PENDING || trial_fails "task 1 was not put back into the queue"
    say "task 1 waits again, with $(points_in "$run/shard-1.sqlite") of its 16 points"

    wait_until 120 task_is_in_the_middle "$(scratch_of "$run" 2)" || trial_fails "task 2 does not get anywhere"
    scancel "${job}_2"
    wait_until 60 task_has_gone "${job}_2" || trial_fails "task 2 does not end"
    say "task 2 was cancelled, with $(points_in "$run/shard-2.sqlite") of its 16 points"

    wait_until 120 task_is_in_the_middle "$(scratch_of "$run" 3)" || trial_fails "task 3 does not get anywhere"
    kill -KILL "$(sweeping "$run" 3)"
    wait_until 60 task_has_gone "${job}_3" || trial_fails "task 3 does not end"
    say "task 3 lost its program (kill -9), with $(points_in "$run/shard-3.sqlite") of its 16 points"

    # Slurm lets a requeued task wait for two minutes; a trial need not.
    scontrol update "JobId=${job}_1" StartTime=now
    wait_until 300 no_job_left || trial_fails "the merge does not come to its end"
    sed 's/^/  /' "$merge_log" >&2
    grep -q 'start 2, ' "$run/shard-1.log" || trial_fails "task 1 was not started again"
    [[ $(cat "$run/shard-1.exit") == 0 ]] || trial_fails "task 1 did not finish after it was put back"

    missing=$(sed -n 's/.* \([0-9]*\) experiments missing/\1/p' "$merge_log")
    ((missing > 0 && missing < 32)) || trial_fails "some of the 32 points of tasks 2 and 3 should be missing, not $missing"
    say "submitted again: $missing points are missing"
    submit "$store" "$document" --shards 2 --wait || trial_fails "exit code $?, 0 was expected"
    merge_log=$(last_run)/merge.log
    again=$(tasks_had_to_run "$(last_run)")
    ((again == missing)) || trial_fails "$missing points were missing, and $again were run"
    say "the second submission ran $again points"
    "$cli" sweep "$document" --db "$trial/single.sqlite" >"$trial/single.log" 2>&1 || trial_fails "$(cat "$trial/single.log")"
    same_rows "$trial/single.sqlite" "$store" "$document" 48
}

points_in() { if [[ -e $1 ]]; then "$cli" results --db "$1" --output csv | tail -n +2 | wc -l; else echo 0; fi; }

# --- All of it -------------------------------------------------------------------------------------------------------

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
        say "NOT TRIED: the Slurm script needs a Slurm that starts; the lines above say why there is none (exit code 77)"
        exit 77
    fi
    say "$(slurmctld -V) on $(hostname -s), $(sinfo -h -o '%c processors')"
    whole_sweep
    interrupted_sweep
    say "all of it holds, in $SECONDS s"
}
