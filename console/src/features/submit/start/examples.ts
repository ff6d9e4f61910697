/** Job files to begin with: each runs as it stands where the machines for it are, and its note, a comment above it, is the help. */
import type { MessageKey } from '@/app/i18n';

export interface Example {
  id: string;
  label: MessageKey;
  /** What one learns from it. */
  about: MessageKey;
  note?: MessageKey;
  text: string;
}

const blank = `kind: training
name: ""
command: ""
`;

const hello = `kind: training
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

const gpu = `kind: training
name: train-on-a-gpu
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

const distributed = `kind: training
name: two-together
nodes: 2
command: |
  echo "rank $DANLU_RANK of $DANLU_WORLD_SIZE, the first is at $DANLU_MASTER_ADDR:$DANLU_MASTER_PORT"
  sleep 5
resources: {cpus: 1, memory: 512MiB}
restarts: 1
max_time: 10m
`;

const total = `kind: training
name: sixteen-in-all
nodes: auto
command: |
  echo "rank $DANLU_RANK of $DANLU_WORLD_SIZE has $CUDA_VISIBLE_DEVICES"
  sleep 5
resources: {gpus: 16, cpus: 32, memory: 64GiB}
expected_time: 5m
max_time: 1h
`;

const roles = `kind: training
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

const resilient = `kind: training
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

const workspace = `kind: workspace
name: my-workspace
resources: {cpus: 2, memory: 4GiB}
max_time: 8h
`;

export const EXAMPLES: Example[] = [
  { id: 'blank', label: 'example.blank', about: 'example.blankAbout', text: blank },
  { id: 'hello', label: 'example.hello', about: 'example.helloAbout', note: 'example.helloNote', text: hello },
  { id: 'gpu', label: 'example.gpu', about: 'example.gpuAbout', note: 'example.gpuNote', text: gpu },
  {
    id: 'distributed',
    label: 'example.distributed',
    about: 'example.distributedAbout',
    note: 'example.distributedNote',
    text: distributed,
  },
  { id: 'total', label: 'example.total', about: 'example.totalAbout', note: 'example.totalNote', text: total },
  { id: 'roles', label: 'example.roles', about: 'example.rolesAbout', note: 'example.rolesNote', text: roles },
  { id: 'resilient', label: 'example.resilient', about: 'example.resilientAbout', note: 'example.resilientNote', text: resilient },
  { id: 'workspace', label: 'example.workspace', about: 'example.workspaceAbout', note: 'example.workspaceNote', text: workspace },
];

export const BLANK = blank;
