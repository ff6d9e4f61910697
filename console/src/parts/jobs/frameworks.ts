/** How frameworks write themselves. */

const NAMES: Record<string, string> = {
  pytorch: 'PyTorch',
  deepspeed: 'DeepSpeed',
  tensorflow: 'TensorFlow',
  mpi: 'MPI',
  horovod: 'Horovod',
  jax: 'JAX',
  paddle: 'PaddlePaddle',
};

export const frameworkName = (name: string): string => NAMES[name] ?? name;
