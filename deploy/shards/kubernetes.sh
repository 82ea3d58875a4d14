#!/bin/sh
# A job in shards as Indexed Jobs of Kubernetes, one for each stage: kubernetes.sh WORK TASKS
#
# kubernetes.yaml is the Job. WORK is the folder of the job as its pods see it. The job was made with --threads 2, in
# the folder /data of such a pod. A Job begins when the one before is complete; when it failed the script ends. Run it
# again: what is done is not done again.
set -eu
work=$1 tasks=$2
for stage in ${STAGES:-sketch join cluster gather solve write}; do
    [ "$stage" = cluster ] && last=1 || last=$tasks
    kubectl delete --ignore-not-found "job/nearprint-$stage"
    sed -e "s|STAGE|$stage|g" -e "s|WORK|$work|g" -e "s|TASKS|$last|g" "$(dirname "$0")/kubernetes.yaml" |
        kubectl create -f -
    while :; do
        conditions=$(kubectl get "job/nearprint-$stage" -o 'jsonpath={.status.conditions[*].type}')
        case " $conditions " in
            *" Complete "*) break ;;
            *" Failed "*)
                echo "kubernetes.sh: a task of $stage failed: kubectl describe job/nearprint-$stage" >&2
                exit 1
                ;;
        esac
        sleep 5
    done
done
