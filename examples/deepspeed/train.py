"""DeepSpeed with ZeRO stage 1: the optimizer's state is divided among all processes."""

import deepspeed
import torch

import danlu

deepspeed.init_distributed("nccl" if torch.cuda.is_available() else "gloo")
rank, world = torch.distributed.get_rank(), torch.distributed.get_world_size()
print(f"rank {rank} of {world}", flush=True)

torch.manual_seed(0)
truth = torch.randn(16, 1)
model = torch.nn.Linear(16, 1)
engine, *_ = deepspeed.initialize(
    model=model,
    model_parameters=model.parameters(),
    config={
        "train_micro_batch_size_per_gpu": 32,
        "optimizer": {"type": "Adam", "params": {"lr": 0.05, "torch_adam": True}},
        "zero_optimization": {"stage": 1},
        "zero_allow_untested_optimizer": True,
    },
)
truth = truth.to(engine.device)
for step in range(1, 101):
    draw = torch.Generator().manual_seed(step * world + rank)
    inputs = torch.randn(32, 16, generator=draw).to(engine.device)
    loss = torch.nn.functional.mse_loss(engine(inputs), inputs @ truth)
    engine.backward(loss)
    engine.step()
    if rank == 0:
        danlu.log(step, loss=loss)
        if step % 25 == 0:
            print(f"step {step}: loss {loss.item():.6f}", flush=True)
