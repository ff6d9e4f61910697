/** Calls about people; for administrators. */
import { api, ask } from './client';
import type { User } from './types';

export const listUsers = async (signal?: AbortSignal): Promise<User[]> => {
  const { items } = await ask(api.GET('/api/v1/users', { params: { query: { limit: 500 } }, signal }));
  return items;
};
