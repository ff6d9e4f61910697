import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '@/api/audit';
import { activateLocale } from '@/app/i18n';
import { chooseTimeZone } from '@/app/time-zone';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { valueOf } from '@/testing/fields';
import { preferences, session } from '@/testing/samples';
import { ACT_WORDS } from './acts';
import { filterOf } from './filter';
import { KINDS } from './kinds';
import { auditSearch } from './search';

const seal = 'ab'.repeat(32);
const entry: AuditEntry = {
  seq: 7,
  time: '2026-05-01T10:00:00Z',
  by: 'root',
  act: 'edited',
  subject: 'project:nlp',
  before: { weight: 1, closed: false },
  after: { weight: 2, closed: false },
  reason: 'new budget',
  address: '10.0.0.8',
  means: 'session',
  seal,
  text: { en: 'root changed project nlp', zh: 'root 修改了项目组 nlp' },
};

afterEach(() => chooseTimeZone(null));

function open(answers: Answers = {}, address = '/audit') {
  return openConsole(address, {
    'GET session': session,
    'GET me/preferences': preferences,
    'GET permissions': { items: [], everywhere: ['audit:read'] },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET audit': { items: [entry], next_cursor: null },
    ...answers,
  });
}

/** The keys of a table in Danlu's domain. */
const keysOf = (file: string, table: string) => {
  const source = readFileSync(join(import.meta.dirname, '../../../../src/danlu/domain', file), 'utf8');
  return [...new RegExp(`^${table}: .*?^}`, 'ms').exec(source)![0].matchAll(/^ {4}"(\w+)":/gm)].map((match) => match[1]!);
};

describe('the audit log', () => {
  it('says who did what, when, why and from where', async () => {
    open();
    const row = (await screen.findByRole('button', { name: 'root changed project nlp' })).closest('tr')!;
    expect(row.textContent).toContain('new budget');
    expect(row.textContent).toContain('10.0.0.8 · browser session');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is filtered by the server, and exports what is filtered', async () => {
    const { calls, address } = open();
    fireEvent.change(await screen.findByLabelText('Who'), { target: { value: 'root' } });
    fireEvent.blur(screen.getByLabelText('Who'));
    fireEvent.change(screen.getByLabelText('Action'), { target: { value: 'edited' } });
    fireEvent.change(screen.getByLabelText('Subject'), { target: { value: 'project' } });
    fireEvent.change(screen.getByLabelText('When'), { target: { value: '7d' } });
    await waitFor(() =>
      expect(calls.findLast(({ path }) => path === 'audit')!.query.toString()).toBe(
        'by=root&act=edited&subject=project%3A&since=-7d&limit=100',
      ),
    );
    expect(address()).toBe('/audit?by=root&act=edited&subject=project%3A&span=7d');
    const link = screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')!;
    expect(link).toContain('/api/v1/audit/export?by=root&act=edited&subject=project%3A&since=-7d&format=csv');
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(address()).toBe('/audit'));
  });

  it('is filtered by one thing: its kind, and its name', async () => {
    const { address } = open({}, '/audit?subject=job%3Alin%3Abert');
    const name = await screen.findByLabelText('Name');
    expect([valueOf(screen.getByLabelText('Subject')), valueOf(name)]).toEqual(['job', 'lin:bert']);
    fireEvent.change(name, { target: { value: 'lin:gpt' } });
    fireEvent.blur(name);
    await waitFor(() => expect(address()).toBe('/audit?subject=job%3Alin%3Agpt'));
    fireEvent.change(screen.getByLabelText('Subject'), { target: { value: '' } });
    await waitFor(() => expect(address()).toBe('/audit'));
    expect(screen.queryByLabelText('Name')).toBeNull();
  });

  it("has a word for every act and every kind of thing, in the language of the reader; the address keeps the log's own", async () => {
    expect(Object.keys(ACT_WORDS).toSorted()).toEqual(keysOf('acts.py', 'ACTS').toSorted());
    // Nobody acts on a single task, and what is done to a version is done to its dataset.
    const things = new Set(
      [...keysOf('terms.py', 'THINGS'), ...keysOf('acts.py', 'NOUNS')].filter((thing) => thing !== 'task' && thing !== 'version'),
    );
    expect(Object.keys(KINDS).toSorted()).toEqual([...things].toSorted());
    await activateLocale('zh-CN');
    const { address } = open();
    fireEvent.change(await screen.findByLabelText('操作'), { target: { value: 'sign_in_failed' } });
    await waitFor(() => expect(address()).toBe('/audit?act=sign_in_failed'));
    expect(within(screen.getByLabelText('操作')).getByRole('option', { selected: true }).textContent).toBe('登录失败');
    expect(within(screen.getByLabelText('对象')).getByRole('option', { name: '维护窗口' })).toBeTruthy();
  });

  it("takes days of the person's time zone, the last one included", () => {
    chooseTimeZone('Asia/Shanghai');
    expect(filterOf(auditSearch({ from: '2026-05-01', to: '2026-05-02', act: 'edited' }))).toMatchObject({
      since: '2026-04-30T16:00:00.000Z',
      until: '2026-05-02T16:00:00.000Z',
      act: 'edited',
    });
    expect(auditSearch({ from: 'yesterday', span: '2y' })).toEqual({});
  });

  it('shows what an act changed', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'root changed project nlp' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'root changed project nlp' }));
    const diff = await dialog.findByRole('region', { name: 'What changed' });
    expect(diff.querySelector('del')!.textContent).toContain('weight: 1');
    expect(diff.querySelector('ins')!.textContent).toContain('weight: 2');
    expect(dialog.getByText(seal)).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('goes on to what is earlier', async () => {
    const earlier = { ...entry, seq: 6, text: { en: 'root signed in', zh: 'root 登录' } };
    open({
      'GET audit': ({ query }: { query: URLSearchParams }) =>
        query.has('cursor') ? { items: [earlier], next_cursor: null } : { items: [entry], next_cursor: '7' },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Show earlier entries' }));
    expect(await screen.findByRole('button', { name: 'root signed in' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show earlier entries' })).toBeNull();
  });

  it('is verified against a seal noted earlier', async () => {
    const { calls } = open({ 'GET audit/verify': { ok: true, count: 7, seq: 7, seal, broken: null, signed_since: 3 } });
    fireEvent.click(await screen.findByRole('button', { name: 'Verify' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Verify' }));
    fireEvent.change(dialog.getByLabelText('Number and seal noted earlier'), { target: { value: '7' } });
    expect(dialog.getByRole('button', { name: 'Verify now' }).hasAttribute('disabled')).toBe(true);
    fireEvent.change(dialog.getByLabelText('Number and seal noted earlier'), { target: { value: `7 ${seal}` } });
    fireEvent.click(dialog.getByRole('button', { name: 'Verify now' }));
    expect(await dialog.findByText('The chain is intact: 7 entries, none changed')).toBeTruthy();
    expect(dialog.getByText('Entries from 3 on are signed with a key that is not in the database.')).toBeTruthy();
    expect(calls.find(({ path }) => path === 'audit/verify')!.query.toString()).toBe(`seq=7&seal=${seal}`);
  });

  it('says where it was tampered with', async () => {
    const text = { en: 'it does not fit the entry before', zh: '与前一条不符' };
    open({ 'GET audit/verify': { ok: false, count: 2, seq: 2, seal, broken: { seq: 3, why: text.en, text }, signed_since: 1 } });
    fireEvent.click(await screen.findByRole('button', { name: 'Verify' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Verify' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Verify now' }));
    expect(await dialog.findByText('The log was tampered with at entry 3')).toBeTruthy();
    expect(dialog.getByText('it does not fit the entry before')).toBeTruthy();
  });

  it('tells "none match" from "you may not"', async () => {
    open({ 'GET audit': { items: [], next_cursor: null } }, '/audit?act=edited');
    expect(await screen.findByText('No entries match')).toBeTruthy();
  });

  it('is not for everybody', async () => {
    open({ 'GET audit': new Refusal(403, { type: 'forbidden', title: 'No', detail: 'audit:read is needed' }) });
    expect(await screen.findByText('You are not allowed to see this')).toBeTruthy();
  });
});
