/** The Chinese words of the pages where one governs; they come with the first of them. */
export default Object.assign({}, ...Object.values(import.meta.glob('./governing/*.json', { eager: true, import: 'default' })));
