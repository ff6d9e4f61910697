import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { SystemReport } from '@/api/system';
import { activateLocale } from '@/app/i18n';
import type { Answers } from '@/testing/app';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { preferences, resources, session } from '@/testing/samples';

const report: SystemReport = {
  ok: false,
  at: '2026-05-01T10:00:00Z',
  checked: ['tasks', 'network'],
  weaknesses: [
    {
      code: 'no_tls',
      area: 'network',
      severity: 'high',
      text: { en: 'people reach Danlu without TLS', zh: '访问丹炉未使用 TLS' },
      fix: { en: 'put a proxy in front', zh: '在前面放置代理' },
      subjects: [],
    },
  ],
};

afterEach(() => activateLocale('en'));

function open(address: string, answers: Answers = {}, everywhere = ['system:read']) {
  return openConsole(address, {
    'GET session': session,
    'GET me/preferences': { ...preferences, dismissed: ['first-steps'] },
    'GET permissions': { items: [], everywhere },
    'GET requests': { items: [], next_cursor: null, total: 0 },
    'GET system/doctor': report,
    'GET system/health': report,
    ...answers,
  });
}

it('the page of the system leads to the figures for Prometheus', async () => {
  open('/system');
  expect((await screen.findByRole('link', { name: '/metrics' })).getAttribute('href')).toMatch(/\/metrics$/);
});

const overview: Answers = {
  'GET resources': resources(),
  'GET jobs': { items: [], next_cursor: null, total: 0 },
  'GET queue': { items: [], next_cursor: null, lanes: [], classes: [], decided_at: null },
};

describe('the state of the installation', () => {
  it('says what is weak and how to mend it', async () => {
    open('/system');
    expect(await screen.findByText('people reach Danlu without TLS')).toBeTruthy();
    expect(screen.getByText('put a proxy in front')).toBeTruthy();
    expect(screen.getByText('no_tls')).toBeTruthy();
    expect(screen.getByText('Checked: Tasks, Network.')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('says so when nothing is weak', async () => {
    open('/system', { 'GET system/doctor': { ...report, ok: true, weaknesses: [] } });
    expect(await screen.findByText('Nothing weak was found')).toBeTruthy();
  });

  it('is told to administrators on the overview', async () => {
    open('/', overview);
    expect(await screen.findByText('1 weakness of this installation')).toBeTruthy();
    expect(screen.getByText('people reach Danlu without TLS')).toBeTruthy();
  });

  it('is nothing to anybody else', async () => {
    open('/', overview, []);
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByText('people reach Danlu without TLS')).toBeNull();
  });
});
