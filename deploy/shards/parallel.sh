#!/bin/sh
# A job in shards by GNU parallel: parallel.sh WORK TASKS [OPTION OF PARALLEL ...]
#
# Run it where `nearprint shard create WORK ... --threads 1` ran: each task takes as many cores as that says, and
# parallel runs as many tasks at once as there are cores. With --sshloginfile HOSTS --workdir . the tasks run on other
# machines, which see the same folders. After a failure run the script again: what is done is not done again.
set -eu
work=$1 tasks=$2
shift 2
for stage in ${STAGES:-sketch join cluster gather solve write}; do
    [ "$stage" = cluster ] && last=1 || last=$tasks
    seq "$last" | parallel --quote --halt soon,fail=1 "$@" nearprint shard "$stage" "$work" --task "{}/$last"
done
