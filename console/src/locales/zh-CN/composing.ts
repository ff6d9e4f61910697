/** The Chinese words of the pages where a job is written, apart from `submit`; they come with the first of them. */
import frameworks from './frameworks.json';

export default { ...frameworks };
