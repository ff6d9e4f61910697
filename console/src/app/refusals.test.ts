import { afterEach, describe, expect, it } from 'vitest';
import type { FieldError } from '@/api/problem';
import { problemFrom } from '@/api/problem';
import { activateLocale } from './i18n';
import { inWords, mistakeText, problemText } from './refusals';

const tooMany: FieldError = {
  loc: ['resources', 'gpus'],
  code: 'out_of_range',
  message: '9 is more than any node has (8)',
  hint: 'ask for fewer',
  text: { en: '9 is more than any node has (8)', zh: '9 超过了任何节点的容量（8）' },
  hint_text: { en: 'ask for fewer', zh: '请减少数量' },
};

afterEach(() => activateLocale('en'));

describe('what the server refused', () => {
  it('is told in English to English readers', () => {
    expect(inWords(tooMany)).toEqual(tooMany);
    expect(mistakeText(tooMany)).toBe('9 is more than any node has (8) (ask for fewer)');
  });

  it('is told in Chinese to Chinese readers, with its hint', async () => {
    await activateLocale('zh-CN');
    expect(inWords(tooMany)).toMatchObject({ message: '9 超过了任何节点的容量（8）', hint: '请减少数量', code: 'out_of_range' });
    expect(mistakeText({ ...tooMany, hint: null, hint_text: null })).toBe('9 超过了任何节点的容量（8）');
  });

  it('stays as it is where the browser found it, or an older server sends one language', async () => {
    await activateLocale('zh-CN');
    const own: FieldError = { loc: ['name'], code: 'missing', message: 'name 必填' };
    expect(inWords(own)).toBe(own);
    expect(problemText(problemFrom({ detail: 'Not yours.' }, { status: 403, statusText: '' }))).toBe('Not yours.');
  });

  it('is told as a whole in the reader’s language', async () => {
    const problem = problemFrom({ detail: 'Not yours.', text: { en: 'Not yours.', zh: '不属于你。' } }, { status: 403, statusText: '' });
    expect(problemText(problem)).toBe('Not yours.');
    await activateLocale('zh-CN');
    expect(problemText(problem)).toBe('不属于你。');
  });

  it('names whom to ask', async () => {
    const ask = { en: 'ask an administrator: Li Wei (liwei)', zh: '请联系管理员：Li Wei（liwei）' };
    const problem = problemFrom({ detail: 'Not yours', text: { en: 'Not yours', zh: '不属于你' }, ask }, { status: 403, statusText: '' });
    expect(problemText(problem)).toBe('Not yours; ask an administrator: Li Wei (liwei)');
    await activateLocale('zh-CN');
    expect(problemText(problem)).toBe('不属于你；请联系管理员：Li Wei（liwei）');
  });
});
