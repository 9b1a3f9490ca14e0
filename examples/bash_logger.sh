#!/usr/bin/env bash
# Any program can log: a run is a file of JSON lines. This one logs the load of the machine with printf.
#
#   examples/bash_logger.sh logs/load/metrics.jsonl 60
#   tuimon logs
set -euo pipefail
file=${1:-logs/load/metrics.jsonl}
count=${2:-60}
interval=${3:-1}

mkdir -p "$(dirname "$file")"
for ((step = 0; step < count; step++)); do
    processes=$(find /proc -maxdepth 1 -name '[0-9]*' | wc -l)
    read -r load _ </proc/loadavg
    printf '{"step": %d, "time": %s, "load": %s, "processes": %d}\n' \
        "$step" "$(date +%s.%N)" "$load" "$processes" >>"$file"
    sleep "$interval"
done
