"""TensorFlow's MultiWorkerMirroredStrategy with a loop of its own: all workers keep the same model."""

import tensorflow as tf

import danlu

strategy = tf.distribute.MultiWorkerMirroredStrategy()
where = strategy.cluster_resolver
print(f"{where.task_type} {where.task_id}, {strategy.num_replicas_in_sync} replicas", flush=True)

tf.random.set_seed(0)
truth = tf.random.stateless_normal([16, 1], seed=[0, 0])
with strategy.scope():
    weights = tf.Variable(tf.zeros([16, 1]))


@tf.function
def train(step):
    def one(step):
        replica = tf.distribute.get_replica_context().replica_id_in_sync_group
        inputs = tf.random.stateless_normal([32, 16], seed=[step, replica])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((inputs @ (weights - truth)) ** 2)
        gradient = tf.distribute.get_replica_context().all_reduce("mean", tape.gradient(loss, weights))
        weights.assign_sub(0.05 * gradient)
        return loss

    return strategy.reduce("mean", strategy.run(one, args=(step,)), axis=None)


for step in range(1, 101):
    loss = float(train(tf.constant(step)))
    if where.task_id == 0:
        danlu.log(step, loss=loss)
        if step % 25 == 0:
            print(f"step {step}: loss {loss:.6f}", flush=True)
