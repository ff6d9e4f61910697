"""A data-parallel training whose steps take tens of milliseconds of CPU; tells when it began and what it used."""

import json
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import danlu

began = time.time()
torch.set_num_threads(1)
dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
width = 768
model = DistributedDataParallel(
    torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.ReLU(), torch.nn.Linear(width, 1))
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
inputs = torch.randn(256, width)


def step(number):
    loss = model(inputs).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    danlu.log(number, loss=loss)


steps = int(sys.argv[1])
for number in range(5):
    step(number)
dist.barrier()
first, used = time.time(), time.process_time()
for number in range(5, steps + 5):
    step(number)
dist.barrier()
told = {"began": began, "first": first, "last": time.time(), "cpu": time.process_time() - used}
with open(os.path.join(sys.argv[2], f"rank-{rank}.json"), "w", encoding="ascii") as file:
    json.dump(told, file)
# What watches has a moment to read its own counters before the processes are gone.
time.sleep(float(sys.argv[3]))
dist.destroy_process_group()
