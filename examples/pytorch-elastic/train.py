"""Training that goes on with fewer workers and takes in new ones.

Whenever the number of workers changes, torchrun starts the processes anew and they go on from the last checkpoint. The
data is divided among as many as there are."""

import argparse
import os
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import danlu
import danlu.torch

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=600)
parser.add_argument("--batch", type=int, default=96)
parser.add_argument(
    "--pause", type=float, default=0.1, help="seconds between steps, so that there is time to look"
)
options = parser.parse_args()

cuda = torch.cuda.is_available()
dist.init_process_group("nccl" if cuda else "gloo")
rank, world = dist.get_rank(), dist.get_world_size()
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if cuda else torch.device("cpu")

torch.manual_seed(0)
truth = torch.randn(16, 1, device=device)
model = DistributedDataParallel(torch.nn.Linear(16, 1).to(device))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

progress = danlu.torch.Progress(model=model, optimizer=optimizer)
if rank == 0:
    print(f"{world} workers, from step {progress.done}", flush=True)
for step in progress.steps(options.steps, save_every=20):
    draw = torch.Generator().manual_seed(step)
    whole = torch.randn(options.batch, 16, generator=draw)
    inputs = whole.chunk(world)[rank % world].to(device)
    loss = torch.nn.functional.mse_loss(model(inputs), inputs @ truth)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if rank == 0:
        danlu.log(step, loss=loss, workers=world)
    time.sleep(options.pause)

dist.destroy_process_group()
