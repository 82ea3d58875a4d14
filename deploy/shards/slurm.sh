#!/bin/sh
# A job in shards as arrays of Slurm, an array for each stage: slurm.sh WORK TASKS [OPTION OF SBATCH ...]
#
# Run it where `nearprint shard create WORK ... --threads 2` ran, on a machine that submits. It prints the numbers of
# the arrays. An array begins when all tasks of the one before have ended well; when one failed, the rest is cancelled:
# run the script again, and what is done is not done again.
set -eu
work=$1 tasks=$2 after=
shift 2
for stage in ${STAGES:-sketch join cluster gather solve write}; do
    [ "$stage" = cluster ] && last=1 || last=$tasks
    after=$(sbatch --parsable --array="1-$last" --job-name="nearprint-$stage" --cpus-per-task=2 --mem=4G \
        ${after:+--dependency="afterok:$after" --kill-on-invalid-dep=yes} "$@" <<END
#!/bin/sh
exec nearprint shard $stage '$work' --task \$SLURM_ARRAY_TASK_ID/$last
END
    )
    echo "$stage: $after"
done
