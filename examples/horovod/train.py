"""Horovod with PyTorch: gradients are averaged over all ranks."""

import horovod.torch as hvd
import torch

import danlu

hvd.init()
torch.manual_seed(0)
truth = torch.randn(16, 1)
model = torch.nn.Linear(16, 1)
optimizer = hvd.DistributedOptimizer(
    torch.optim.SGD(model.parameters(), lr=0.05), named_parameters=model.named_parameters()
)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)

for step in range(1, 201):
    draw = torch.Generator().manual_seed(step * hvd.size() + hvd.rank())
    inputs = torch.randn(32, 16, generator=draw)
    loss = torch.nn.functional.mse_loss(model(inputs), inputs @ truth)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if hvd.rank() == 0:
        danlu.log(step, loss=loss)
