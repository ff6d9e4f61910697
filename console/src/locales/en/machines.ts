/** The English words of the pages about nodes, clusters and pools; they come with the first of them. */
export default Object.assign({}, ...Object.values(import.meta.glob('./machines/*.json', { eager: true, import: 'default' })));
