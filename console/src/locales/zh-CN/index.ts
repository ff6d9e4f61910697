/** The Chinese words of everywhere, one file for each part of the console; the folders hold those that come later. */
export default Object.assign({}, ...Object.values(import.meta.glob('./*.json', { eager: true, import: 'default' })));
