/** The English words of the pages where one governs; they come with the first of them. */
import audit from './audit.json';
import groups from './groups.json';
import panel from './panel.json';
import people from './people.json';
import priorities from './priorities.json';
import projects from './projects.json';
import requests from './requests.json';

export default { ...audit, ...groups, ...panel, ...people, ...priorities, ...projects, ...requests };
