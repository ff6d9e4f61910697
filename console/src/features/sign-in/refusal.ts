/** Why a provider, or the server, did not let one in: told in a cookie that is read once. */
const NAME = 'danlu_refused';

export function takeRefusal(): string | undefined {
  const found = document.cookie.split('; ').find((one) => one.startsWith(`${NAME}=`));
  if (found === undefined) return undefined;
  document.cookie = `${NAME}=; path=/; max-age=0`;
  return decodeURIComponent(found.slice(NAME.length + 1).replaceAll('"', ''));
}
