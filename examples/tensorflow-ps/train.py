"""TensorFlow's ParameterServerStrategy: the chief hands out steps, workers do them, a parameter server holds the model.

Workers and parameter servers wait for work until Danlu ends them, which it does when the chief is done."""

import tensorflow as tf

import danlu

where = tf.distribute.cluster_resolver.TFConfigClusterResolver()
print(f"{where.task_type} {where.task_id}", flush=True)

if where.task_type in ("worker", "ps"):
    server = tf.distribute.Server(
        where.cluster_spec(), job_name=where.task_type, task_index=where.task_id, protocol="grpc", start=True
    )
    server.join()

strategy = tf.distribute.ParameterServerStrategy(where)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
truth = tf.random.stateless_normal([16, 1], seed=[0, 0])
with strategy.scope():
    weights = tf.Variable(tf.zeros([16, 1]))


@tf.function
def train(step):
    inputs = tf.random.stateless_normal([32, 16], seed=[step, 0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((inputs @ (weights - truth)) ** 2)
    weights.assign_sub(0.05 * tape.gradient(loss, weights))
    return loss


for step in range(1, 101):
    handed_out = coordinator.schedule(train, args=(tf.constant(step),))
    if step % 5 == 0:
        coordinator.join()
        loss = float(handed_out.fetch())
        danlu.log(step, loss=loss)
        if step % 25 == 0:
            print(f"step {step}: loss {loss:.6f}", flush=True)
