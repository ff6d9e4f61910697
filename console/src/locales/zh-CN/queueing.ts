/** The Chinese words of the pages of the queue and of scores. */
export default Object.assign({}, ...Object.values(import.meta.glob('./queueing/*.json', { eager: true, import: 'default' })));
