"""PaddlePaddle's data parallel training on several machines."""

import paddle
import paddle.distributed as dist

import danlu

dist.init_parallel_env()
rank, world = dist.get_rank(), dist.get_world_size()
print(f"rank {rank} of {world}", flush=True)

paddle.seed(0)
truth = paddle.randn([16, 1])
model = paddle.DataParallel(paddle.nn.Linear(16, 1))
optimizer = paddle.optimizer.SGD(learning_rate=0.05, parameters=model.parameters())
paddle.seed(1 + rank)
for step in range(1, 101):
    inputs = paddle.randn([32, 16])
    loss = paddle.nn.functional.mse_loss(model(inputs), inputs @ truth)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    if rank == 0:
        danlu.log(step, loss=float(loss))
        if step % 25 == 0:
            print(f"step {step}: loss {float(loss):.6f}", flush=True)
