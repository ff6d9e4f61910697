/** The Chinese words of what lies behind the first view of a job's page: metrics, attempts, tasks, stacks, its file. */
export default Object.assign({}, ...Object.values(import.meta.glob('./training/*.json', { eager: true, import: 'default' })));
