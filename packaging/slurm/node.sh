# shellcheck shell=bash
# Starts a Slurm cluster of one node, this machine, which writes all its files to one folder. Source this file after
# packaging/common.sh.
#
# It does not touch a Slurm that is already here: it has its own ports, its own MUNGE with a key and a socket of its own,
# and no accounting. It needs no cgroups, systemd or root, so that it also works in a container and for any user.

slurm_packages="slurmctld:slurmctld slurmd:slurmd slurm-client:sbatch munge:munged"
node_processes=()

# slurmd loads a cgroup plug-in although nothing here uses it. Since Slurm 23.02 the plug-in can be disabled. For older
# versions this selects the plug-in for cgroup version 1, which does nothing until it is used; the plug-in for version 2
# would need systemd and a cgroup of its own.
write_cgroup_settings() {
    local version
    version=$(slurmd -V | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    if ((${version:-0} >= 23)); then echo "CgroupPlugin=disabled"; else echo "CgroupPlugin=cgroup/v1"; fi >"$1/cgroup.conf"
}

# Prints the number of a free port, other than the given one.
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 10000))
        if [[ $port != "${1:-}" ]] && ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
    done
    printf '%s' "$port"
}

write_node_settings() {
    local folder=$1 user name port hardware
    user=$(id -un)
    name=$(hostname -s)
    port=$(free_port)
    # The hardware that slurmd detects, without the memory, because jobs are not scheduled by memory here.
    hardware=$(slurmd -C | sed -n '1s/^NodeName=[^ ]* //; 1s/ *RealMemory=.*//p')
    cat >"$folder/slurm.conf" <<TEXT
ClusterName=ringside-trial
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$(free_port "$port")
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1
ReturnToService=2
KillWait=20
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
NodeName=$name NodeAddr=127.0.0.1 ${hardware:-CPUs=$(nproc)} State=UNKNOWN
PartitionName=trial Nodes=ALL Default=YES MaxTime=INFINITE State=UP
TEXT
}

# daemon LOG COMMAND...: starts the command in the background and records its process for stop_node.
daemon() {
    "${@:2}" >>"$1" 2>&1 </dev/null &
    node_processes+=($!)
}

# wait_until SECONDS COMMAND...: repeats the command until it succeeds; returns false if it did not in that time.
wait_until() {
    local end=$((SECONDS + $1))
    until "${@:2}"; do
        if ((SECONDS >= end)); then return 1; fi
        sleep 0.3
    done
}

node_is_idle() { [[ $(sinfo -h -o %T 2>/dev/null) == idle ]]; }

# Succeeds when the node is idle or one of its daemons has ended.
node_is_decided() {
    local process
    for process in "${node_processes[@]}"; do
        if has_ended "$process"; then return; fi
    done
    node_is_idle
}

# start_node FOLDER: starts the cluster in a folder with a short path (it holds a socket). Prints why and returns false
# if Slurm does not start.
start_node() {
    local folder=$1 log
    mkdir -p "$folder/state" "$folder/spool"
    chmod 755 "$folder"
    (umask 077 && head -c 1024 /dev/urandom >"$folder/munge.key")
    write_node_settings "$folder"
    write_cgroup_settings "$folder"
    export SLURM_CONF=$folder/slurm.conf
    daemon "$folder/munged.log" munged --foreground --force --key-file="$folder/munge.key" \
        --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" \
        --seed-file="$folder/munged.seed"
    if wait_until 10 test -S "$folder/munge.socket"; then
        daemon "$folder/slurmctld.out" slurmctld -D -i
        daemon "$folder/slurmd.out" slurmd -D
        if wait_until 60 node_is_decided && node_is_idle; then return; fi
    fi
    say "Slurm does not start here. The last lines of its logs:"
    for log in munged.log slurmctld.out slurmd.out; do
        if [[ -s $folder/$log ]]; then tail -n 5 "$folder/$log" | sed "s/^/  $log: /" >&2; fi
    done
    return 1
}

# Ends the jobs, then the daemons in the reverse order of their start, because a later one needs the earlier ones.
stop_node() {
    local i
    if ((${#node_processes[@]} > 1)); then
        scancel --user="$(id -un)" 2>/dev/null || true
        wait_until 30 no_job_left || true
    fi
    for ((i = ${#node_processes[@]} - 1; i >= 0; --i)); do
        kill "${node_processes[i]}" 2>/dev/null || true
        wait_until 10 has_ended "${node_processes[i]}" || kill -KILL "${node_processes[i]}" 2>/dev/null || true
        wait "${node_processes[i]}" 2>/dev/null || true
    done
    node_processes=()
}

no_job_left() { [[ -z $(squeue -h 2>/dev/null) ]]; }
has_ended() { ! kill -0 "$1" 2>/dev/null; }
