/** Job files to begin with: each runs as it stands, and its comments are the help. */
import type { MessageKey } from '@/app/i18n';

export interface Example {
  id: string;
  label: MessageKey;
  text: string;
}

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

export const EXAMPLES: Example[] = [
  { id: 'hello', label: 'example.hello', text: hello },
  { id: 'gpu', label: 'example.gpu', text: gpu },
  { id: 'distributed', label: 'example.distributed', text: distributed },
  { id: 'roles', label: 'example.roles', text: roles },
];
