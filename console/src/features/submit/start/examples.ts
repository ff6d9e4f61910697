/** Job files to begin with: each runs as it stands where the machines for it are, and its comments are the help. */
import type { MessageKey } from '@/app/i18n';

export interface Example {
  id: string;
  label: MessageKey;
  /** What one learns from it. */
  about: MessageKey;
  text: string;
}

const blank = `kind: training
name: ""
command: ""
`;

const hello = `# The smallest job: a name, a kind and a command.
kind: training
name: hello-danlu
command: |
  echo "Hello from $DANLU_TASK on $(hostname)"
  for step in $(seq 1 10); do
    echo "step $step of 10"
    sleep 1
  done
resources: {cpus: 1, memory: 512MiB}
max_time: 10m
`;

const gpu = `# One machine with a GPU. Add "gpu: A100" to ask for a model; without it any will do.
kind: training
name: train-on-a-gpu
# Your own code comes from a Git repository:
# code: {git: https://git.example.org/vision/resnet.git, ref: main}
command: |
  echo "these GPUs are mine: $CUDA_VISIBLE_DEVICES"
  for epoch in 1 2 3; do
    echo "epoch $epoch, learning rate $LR"
    sleep 2
  done
resources: {cpus: 4, memory: 8GiB, gpus: 1}
env:
  LR: "0.1"
expected_time: 5m
max_time: 1h
`;

const distributed = `# Two tasks that start together or not at all; each knows its rank and the address of the first.
kind: training
name: two-together
nodes: 2
command: |
  echo "rank $DANLU_RANK of $DANLU_WORLD_SIZE, the first is at $DANLU_MASTER_ADDR:$DANLU_MASTER_PORT"
  sleep 5
resources: {cpus: 1, memory: 512MiB}
restarts: 1
max_time: 10m
`;

const total = `# So many GPUs in all: Danlu divides them among as few machines as have room.
kind: training
name: sixteen-in-all
nodes: auto
command: |
  echo "rank $DANLU_RANK of $DANLU_WORLD_SIZE has $CUDA_VISIBLE_DEVICES"
  sleep 5
# For the whole job, not for each task.
resources: {gpus: 16, cpus: 32, memory: 64GiB}
expected_time: 5m
max_time: 1h
`;

const roles = `# Roles of different size and command.
kind: training
name: ps-and-workers
roles:
  - name: ps
    replicas: 1
    resources: {cpus: 1, memory: 512MiB}
    command: echo "parameter server at $DANLU_MASTER_ADDR"; sleep 5
  - name: worker
    replicas: 2
    resources: {cpus: 1, memory: 512MiB}
    command: echo "worker $DANLU_INDEX, rank $DANLU_RANK"; sleep 5
max_time: 10m
`;

const resilient = `# Goes on where it was when it fails or a machine is lost: the command saves its progress, and Danlu starts it again.
kind: training
name: keeps-going
command: |
  mkdir -p "$DANLU_CHECKPOINT_DIR"
  step=$(cat "$DANLU_CHECKPOINT_DIR/step" 2>/dev/null || echo 0)
  while [ "$step" -lt 20 ]; do
    step=$((step + 1))
    echo "$step" > "$DANLU_CHECKPOINT_DIR/step"
    echo "step $step of 20"
    sleep 1
  done
resources: {cpus: 1, memory: 512MiB}
on: {task_failed: restart_job, node_lost: requeue}
restarts: 5
checkpoint: {path: /tmp/keeps-going, grace: 1m}
max_time: 1h
`;

const workspace = `# A machine of your own to develop on; it stays until you stop it, or until its time is over.
kind: workspace
name: my-workspace
resources: {cpus: 2, memory: 4GiB}
max_time: 8h
`;

export const EXAMPLES: Example[] = [
  { id: 'blank', label: 'example.blank', about: 'example.blankAbout', text: blank },
  { id: 'hello', label: 'example.hello', about: 'example.helloAbout', text: hello },
  { id: 'gpu', label: 'example.gpu', about: 'example.gpuAbout', text: gpu },
  { id: 'distributed', label: 'example.distributed', about: 'example.distributedAbout', text: distributed },
  { id: 'total', label: 'example.total', about: 'example.totalAbout', text: total },
  { id: 'roles', label: 'example.roles', about: 'example.rolesAbout', text: roles },
  { id: 'resilient', label: 'example.resilient', about: 'example.resilientAbout', text: resilient },
  { id: 'workspace', label: 'example.workspace', about: 'example.workspaceAbout', text: workspace },
];

export const BLANK = blank;
