/** The English words about data: volumes, and the files in them and in jobs. */
export default Object.assign({}, ...Object.values(import.meta.glob('./data/*.json', { eager: true, import: 'default' })));
