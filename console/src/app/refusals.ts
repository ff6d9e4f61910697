/** What the server refused, in the language of whoever reads it. */
import type { FieldError, Problem } from '@/api/problem';
import { sentence } from './i18n';

/** A mistake with its sentences in the present language; those that the browser found itself have them already. */
export function inWords<Mistake extends FieldError>(mistake: Mistake): Mistake {
  if (!mistake.text) return mistake;
  return { ...mistake, message: sentence(mistake.text), hint: mistake.hint_text ? sentence(mistake.hint_text) : (mistake.hint ?? null) };
}

/** Message and hint as one. */
export function mistakeText(mistake: FieldError): string {
  const { message, hint } = inWords(mistake);
  return hint ? `${message} (${hint})` : message;
}

export function problemText(problem: Problem): string {
  return withWhomToAsk(problem, problem.text ? sentence(problem.text) : (problem.detail ?? problem.title));
}

/** What was said, and who can help. */
export function withWhomToAsk({ ask }: Problem, said: string): string {
  return ask ? said + sentence({ en: `; ${ask.en}`, zh: `；${ask.zh}` }) : said;
}
