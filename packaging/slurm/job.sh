#!/bin/bash
#SBATCH --job-name=openmp
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --time=00:10:00
# One OpenMP program on one node, on ghc-openmp: sbatch packaging/slurm/job.sh PROGRAM [ARGUMENT...]
# The first lines of its output say what serves; GHCOMP_STATS shows at the end that it did (regions above 0).
set -eu
[ $# -gt 0 ] || { echo "job.sh: expected a program: sbatch job.sh PROGRAM [ARGUMENT...]" >&2; exit 2; }

# Where the module is not there, the command is taken from PATH.
if type module >/dev/null 2>&1; then module load ghcomp || true; fi
command -v ghcomp >/dev/null || { echo "job.sh: ghcomp is not in PATH and module load ghcomp did not bring it; the program was not started" >&2; exit 1; }

# Slurm binds the step to the processors of the job; the team has as many threads (without Slurm, as many as were asked for).
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-${OMP_NUM_THREADS:-1}} OMP_PLACES=${OMP_PLACES:-cores} OMP_PROC_BIND=${OMP_PROC_BIND:-close}
export GHCOMP_STATS=1

step=()
if [ -n "${SLURM_JOB_ID:-}" ]; then step=(srun --ntasks=1 "--cpus-per-task=$OMP_NUM_THREADS"); fi
"${step[@]}" ghcomp info 2>&1
"${step[@]}" ghcomp run -- "$@"
