/** Another word in place of one of a pasted list, only where it stands by itself. */
export function replaceWord(text: string, word: string, name: string): string {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return text.replaceAll(
    new RegExp(String.raw`(^|[\s,;，；、"'])${escaped}(?=$|[\s,;，；、"'])`, 'g'),
    (_whole, before: string) => `${before}${name}`,
  );
}
