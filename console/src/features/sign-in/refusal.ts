/** Why a provider, or the server, did not let one in: told in a cookie that is read once. */
import type { Text } from '@/api/types';

const NAME = 'danlu_refused';

export function takeRefusal(): Text | undefined {
  const found = document.cookie.split('; ').find((one) => one.startsWith(`${NAME}=`));
  if (found === undefined) return undefined;
  document.cookie = `${NAME}=; path=/; max-age=0`;
  try {
    return JSON.parse(decodeURIComponent(found.slice(NAME.length + 1).replaceAll('"', ''))) as Text;
  } catch {
    return undefined; // of an older server: at least the page opens
  }
}
