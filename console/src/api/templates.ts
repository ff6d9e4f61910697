/** Calls about templates: job files to start from, one's own and those shared with one's projects. */
import { ALL, api, ask, askItems } from './client';
import type { JobFile } from './jobs';
import type { Schemas } from './types';

export type TemplateRow = Schemas['TemplateRow'];
export type Template = Schemas['Template'];
/** `project` null is nobody else. */
export type TemplateFields = Pick<TemplateRow, 'name' | 'description' | 'project'>;

export const templateKeys = {
  all: ['templates'] as const,
  list: ['templates', 'list'] as const,
  one: (id: string) => ['templates', 'one', id] as const,
};

export const listTemplates = (signal?: AbortSignal): Promise<TemplateRow[]> => askItems(api.GET('/api/v1/templates', { ...ALL, signal }));

export const getTemplate = (template: string, signal?: AbortSignal): Promise<Template> =>
  ask(api.GET('/api/v1/templates/{template}', { params: { path: { template } }, signal }));

export const createTemplate = (fields: TemplateFields, job: JobFile): Promise<Template> =>
  ask(api.POST('/api/v1/templates', { body: { ...fields, job } }));

export const editTemplate = (template: string, body: TemplateFields): Promise<Template> =>
  ask(api.PATCH('/api/v1/templates/{template}', { params: { path: { template } }, body }));

export const deleteTemplate = async (template: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/templates/{template}', { params: { path: { template } } }));
};
