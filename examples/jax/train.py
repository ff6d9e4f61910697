"""JAX on several machines: each process has its own devices, and the gradient is averaged over all of them."""

import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

import danlu

# JAX itself reads the address of the first process from JAX_COORDINATOR_ADDRESS.
jax.distributed.initialize(
    num_processes=int(os.environ["JAX_NUM_PROCESSES"]), process_id=int(os.environ["JAX_PROCESS_ID"])
)

rank, world = jax.process_index(), jax.process_count()
print(f"process {rank} of {world}, {jax.device_count()} devices in all", flush=True)

truth = np.random.default_rng(0).standard_normal(16).astype(np.float32)
weights = jnp.zeros(16)


@jax.jit
def loss_and_gradient(weights, inputs):
    def loss(weights):
        return jnp.mean((inputs @ (weights - truth)) ** 2)

    return jax.value_and_grad(loss)(weights)


for step in range(1, 101):
    inputs = np.random.default_rng(step * world + rank).standard_normal((32, 16)).astype(np.float32)
    loss, gradient = loss_and_gradient(weights, inputs)
    gathered = multihost_utils.process_allgather(jnp.append(gradient, loss))
    mean = gathered.reshape(world, -1).mean(axis=0)
    weights = weights - 0.05 * mean[:-1]
    if rank == 0:
        danlu.log(step, loss=float(mean[-1]))
        if step % 25 == 0:
            print(f"step {step}: loss {float(mean[-1]):.6f}", flush=True)
