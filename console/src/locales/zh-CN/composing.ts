/** The Chinese words of the pages where a job is written, apart from `submit`; they come with the first of them. */
export default Object.assign({}, ...Object.values(import.meta.glob('./composing/*.json', { eager: true, import: 'default' })));
