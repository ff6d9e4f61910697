/** The English words of a job's page. */
export default Object.assign({}, ...Object.values(import.meta.glob('./job/*.json', { eager: true, import: 'default' })));
