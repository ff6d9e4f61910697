/** The English words of what lies behind the first view of a job's page: metrics, attempts, tasks, stacks, its file. */
import training from './training.json';

export default { ...training };
