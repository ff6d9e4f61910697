"""Linear regression with DistributedDataParallel: the same lines on one CPU and on many GPUs.

Every process holds the model; gradients are averaged over all of them. Progress is saved every so often, and a restart
goes on from there."""

import argparse
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import danlu
import danlu.torch

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=200)
parser.add_argument("--batch", type=int, default=32)
parser.add_argument("--save-every", type=int, default=50)
options = parser.parse_args()

cuda = torch.cuda.is_available()
dist.init_process_group("nccl" if cuda else "gloo")
rank, world = dist.get_rank(), dist.get_world_size()
device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if cuda else torch.device("cpu")
print(f"rank {rank} of {world} in {os.environ.get('DANLU_TASK', 'a terminal')} on {device}", flush=True)

torch.manual_seed(0)
truth = torch.randn(16, 1, device=device)
model = DistributedDataParallel(torch.nn.Linear(16, 1).to(device))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

progress = danlu.torch.Progress(model=model, optimizer=optimizer)
for step in progress.steps(options.steps, save_every=options.save_every):
    # Every process draws its own part of the data, and the same one whenever this step is repeated.
    draw = torch.Generator().manual_seed(step * world + rank)
    inputs = torch.randn(options.batch, 16, generator=draw).to(device)
    loss = torch.nn.functional.mse_loss(model(inputs), inputs @ truth)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if rank == 0:
        danlu.log(step, loss=loss)
        if step % 20 == 0:
            print(f"step {step}: loss {loss.item():.5f}", flush=True)

dist.destroy_process_group()
if rank == 0:
    print("done", flush=True)
