"""Averages gradients with MPI's all-reduce: linear regression in NumPy, one part of the data per rank."""

import os

import numpy as np
from mpi4py import MPI

import danlu

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
print(f"rank {rank} of {size} in {os.environ.get('DANLU_TASK', 'a terminal')}", flush=True)

truth = np.random.default_rng(0).standard_normal(16)
weights = np.zeros(16)
for step in range(1, 201):
    inputs = np.random.default_rng(step * size + rank).standard_normal((32, 16))
    error = inputs @ (weights - truth)
    gradient = inputs.T @ error / len(inputs)
    mean = np.empty_like(gradient)
    world.Allreduce(gradient, mean)
    weights -= 0.1 * mean / size
    loss = world.allreduce(float(error @ error) / len(error)) / size
    if rank == 0:
        danlu.log(step, loss=loss)
        if step % 50 == 0:
            print(f"step {step}: loss {loss:.6f}", flush=True)
