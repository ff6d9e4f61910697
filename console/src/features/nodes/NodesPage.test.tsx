import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Node } from '@/api/nodes';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { cards, node, nodeTask, preferences, session } from '@/testing/samples';
import { fillOf } from './map/colours';

const three = [
  node(),
  node({ name: 'a100-2', state: 'cordoned', pool: 'big', tasks: [], used: { cpus: 0, memory: 0, gpus: 0 } }),
  node({
    name: 't4-1',
    gpu_model: 'T4',
    tasks: [nodeTask({ owner: 'wang', job_id: null, job_name: null, gpus: [0, 1] })],
    used: { cpus: 0, memory: 0, gpus: 2 },
  }),
];

/** Only what fits a window is drawn, so there must be one. */
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1100);
});

function open(address: string, items: Node[] = three) {
  return openConsole(address, { 'GET session': session, 'GET nodes': { items }, 'GET me/preferences': preferences });
}
/** What a screen reader hears of a node. */
const heard = async (name: RegExp) => (await tile(name)).querySelector('.visually-hidden')!.textContent;
const cells = (name: string) =>
  [...document.querySelectorAll(`[data-node="${name}"] [data-gpu]`)].map((cell) => [cell.getAttribute('data-fill'), cell.textContent]);
const tile = (name: RegExp) => screen.findByRole('link', { name });
const shownNames = () => screen.getAllByRole('gridcell').map((cell) => within(cell).getByRole('link').dataset.node);

describe('the heat map', () => {
  it('says of each node who holds which GPU, with what', async () => {
    open('/nodes');
    expect(await heard(/^a100-1/)).toMatch(/^a100-1, Ready\. 1 of 2 A100 allocated\. GPU 1: lin, bert, /);
    expect(await heard(/^a100-2/)).toBe('a100-2, Cordoned. 0 of 2 A100 allocated');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('says once what the machine of virtual nodes receives and sends', async () => {
    const network = { received: 3 * 2 ** 20, sent: 1024, shared: true };
    open(
      '/nodes',
      three.map((one) => ({ ...one, network })),
    );
    expect(await screen.findAllByText("The machine's network: 3 MiB/s in · 1 KiB/s out, shared by its virtual nodes")).toHaveLength(1);
  });

  it('does not name the job of somebody else', async () => {
    open('/nodes');
    expect(await heard(/^t4-1/)).toContain('GPU 0–1: wang, private job');
  });

  it('marks GPUs with letters as well as colours, and those out of service apart from free ones', async () => {
    open('/nodes');
    await tile(/^a100-1/);
    expect(cells('a100-1')).toEqual([
      ['free', '0'],
      [fillOf('lin'), 'Li'],
    ]);
    expect(cells('a100-2').map(([fill]) => fill)).toEqual(['shut', 'shut']);
    expect(cells('t4-1').map(([, text]) => text)).toEqual(['Wa', 'Wa']);
  });

  it('shows what others than Danlu hold, and says so', async () => {
    open('/nodes', [node({ name: 'n1.lab', cluster: 'lab', gpus: cards(4), foreign: { cpus: 0, memory: 0, gpus: 2 } })]);
    expect(await heard(/^n1\.lab/)).toContain('1 of 4 A100 allocated · 2 used by others');
    expect(cells('n1.lab').map(([fill]) => fill)).toEqual(['free', fillOf('lin'), 'others', 'others']);
    expect(screen.getByText('Used by others than Danlu')).toBeTruthy();
  });

  it('can show the time held instead', async () => {
    open('/nodes?colour=time');
    await tile(/^a100-1/);
    expect(document.querySelector('[data-node="a100-1"] [data-gpu="1"]')!.getAttribute('data-fill')).toMatch(/^time[1-4]$/);
    expect(screen.getByRole('group', { name: 'What the colours mean' }).textContent).toContain('1 to 6 hours');
  });

  it('makes the GPUs of one person stand out', async () => {
    const { address } = open('/nodes');
    fireEvent.click(await screen.findByRole('button', { name: /wang · 2 GPUs/ }));
    await waitFor(() => expect(address()).toBe('/nodes?owner=wang'));
    expect(document.querySelectorAll('[data-node="t4-1"] [data-dim]')).toHaveLength(0);
    expect(document.querySelectorAll('[data-node="a100-1"] [data-dim]')).toHaveLength(2);
  });

  it('groups by model, pool or state, and says what is free in each', async () => {
    const { address } = open('/nodes');
    await tile(/^a100-1/);
    expect(screen.getAllByRole('rowheader').map((head) => head.textContent)).toEqual([
      'A1002 nodes1 of 4 GPUs free',
      'T41 node0 of 2 GPUs free',
    ]);
    fireEvent.change(screen.getByRole('combobox', { name: 'Groups' }), { target: { value: 'state' } });
    await waitFor(() => expect(address()).toBe('/nodes?group=state'));
    expect(screen.getAllByRole('rowheader').map((head) => head.querySelector('strong')!.textContent)).toEqual(['Ready', 'Cordoned']);
  });

  it('has one stop for the Tab key, and the arrows go on from there', async () => {
    open('/nodes');
    const first = await tile(/^a100-1/);
    expect(document.querySelectorAll('[data-node][tabindex="0"]')).toHaveLength(1);
    first.focus();
    fireEvent.keyDown(first, { key: 'ArrowRight' });
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset.node).toBe('a100-2'));
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowDown' });
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset.node).toBe('t4-1'));
    expect(document.querySelectorAll('[data-node][tabindex="0"]')).toHaveLength(1);
  });

  it('tells more of the tile that is pointed at, with a way to the job', async () => {
    open('/nodes');
    await tile(/^a100-1/);
    fireEvent.pointerOver(document.querySelector('[data-node="a100-1"] [data-gpu="1"]')!);
    const card = await screen.findByRole('group', { name: 'a100-1' });
    expect(within(card).getByRole('link', { name: 'bert' }).getAttribute('href')).toBe('/jobs/j1');
    expect(card.textContent).toContain('lin · worker-0');
    fireEvent.keyUp(card, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('group', { name: 'a100-1' })).toBeNull());
  });

  it('leads to the node', async () => {
    const { address } = open('/nodes');
    fireEvent.click(await tile(/^t4-1/));
    await waitFor(() => expect(address()).toBe('/nodes/t4-1'));
  });

  it('draws only what is in view of a thousand nodes', async () => {
    const many = Array.from({ length: 1000 }, (_, at) =>
      node({ name: `a100-${at}`, gpus: cards(8), tasks: [nodeTask({ gpus: [0, 1, 2, 3, 4, 5, 6, 7] })] }),
    );
    open('/nodes', many);
    await tile(/^a100-0,/);
    expect(document.querySelectorAll('main *').length).toBeLessThan(3000);
    expect(document.querySelectorAll('[data-node]').length).toBeGreaterThan(50);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('168');
  });
});

describe('the filters', () => {
  it('count nodes by state and keep the choice in the address', async () => {
    const { address } = open('/nodes');
    fireEvent.click(await screen.findByRole('button', { name: 'Cordoned 1' }));
    await waitFor(() => expect(address()).toBe('/nodes?state=cordoned'));
    expect(shownNames()).toEqual(['a100-2']);
  });

  it('search nodes, people and jobs', async () => {
    const { address } = open('/nodes');
    fireEvent.change(await screen.findByRole('searchbox', { name: 'Search nodes' }), { target: { value: 'wang' } });
    await waitFor(() => expect(address()).toBe('/nodes?search=wang'));
    expect(shownNames()).toEqual(['t4-1']);
  });

  it('choose a cluster where there are several', async () => {
    const { address } = open('/nodes?view=table', [node(), node({ name: 'n1.lab', cluster: 'lab' })]);
    fireEvent.change(await screen.findByRole('combobox', { name: 'Cluster' }), { target: { value: 'lab' } });
    await waitFor(() => expect(address()).toBe('/nodes?view=table&cluster=lab'));
    const table = await screen.findByRole('table');
    expect(
      within(table)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['n1.lab']);
    expect(within(table).getByRole('columnheader', { name: 'Cluster' })).toBeTruthy();
  });

  it('have no word of clusters where there is one', async () => {
    open('/nodes?view=table');
    await screen.findByRole('table');
    expect(screen.queryByRole('combobox', { name: 'Cluster' })).toBeNull();
    expect(screen.queryByRole('columnheader', { name: 'Cluster' })).toBeNull();
  });

  it('say so where nothing matches, and can be cleared', async () => {
    open('/nodes?search=zzz');
    fireEvent.click((await screen.findAllByRole('button', { name: 'Clear filters' })).at(-1)!);
    expect(await tile(/^a100-1/)).toBeTruthy();
  });
});

describe('the table', () => {
  it('tells the same in words and numbers, sorted as the address says', async () => {
    open('/nodes?view=table&sort=-gpus');
    const table = await screen.findByRole('table');
    expect(
      within(table)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['a100-1', 'a100-2', 't4-1']);
    expect(within(table).getByRole('row', { name: /a100-1/ }).textContent).toContain('1 / 2');
    expect(await accessibilityProblems()).toEqual([]);
  });
});

describe('the isolation of nodes', () => {
  it('is told in the table, with how much is missing', async () => {
    const isolation: Node['isolation'] = {
      form: 'sandbox',
      abilities: ['sandbox', 'own_users'],
      lacking: [{ code: 'cgroup_not_working', ability: 'cgroup', text: { en: 'no groups', zh: '无控制组' }, fix: { en: 'x', zh: 'x' } }],
      one_user: false,
      root: false,
      subordinate_ids: 65536,
      text: { en: 'in a sandbox', zh: '在沙箱中运行' },
    };
    open('/nodes?view=table', [node({ isolation })]);
    const table = await screen.findByRole('table');
    expect(within(table).getByRole('columnheader', { name: 'Isolation' })).toBeTruthy();
    expect(within(table).getByTitle(/in a sandbox\s+no groups/).textContent).toBe('Sandbox · 1 missing');
  });
});

describe('the nodes page', () => {
  it('says so where there is none', async () => {
    open('/nodes', []);
    expect(await screen.findByText('No nodes yet')).toBeTruthy();
  });

  it('offers to try again where the nodes cannot be read', async () => {
    openConsole('/nodes', {
      'GET session': session,
      'GET nodes': new Refusal(400, { type: 'x', title: 'No', detail: 'The engine is away.' }),
    });
    expect(await screen.findByText('The engine is away.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('chosen nodes', () => {
  const governs = { 'GET permissions': { items: ['node:write'], everywhere: ['node:write'] } };
  const pools = {
    items: [
      { name: 'big', classes: [], description: '' },
      { name: 'default', classes: [], description: '' },
    ],
    next_cursor: null,
  };

  it('are moved after telling what that changes', async () => {
    const report = {
      nodes: [],
      running: [{ job_id: 'j1', name: 'bert', owner: 'lin', class: 'single', served: false }],
      waiting: [{ job_id: null, name: null, owner: 'wang', class: 'distributed' }],
      flavors_lost: ['a100-8'],
      flavors_gained: [],
    };
    const { calls } = openConsole('/nodes?view=table', {
      'GET session': session,
      'GET me/preferences': preferences,
      'GET nodes': { items: three },
      'GET pools': pools,
      'POST nodes/move': report,
      ...governs,
    });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select a100-1' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select t4-1' }));
    fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Move' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Move 2 nodes to another pool' }));
    expect(await dialog.findByText('1 of them could not start there again')).toBeTruthy();
    expect(dialog.getByText('1 waiting job could no longer start anywhere')).toBeTruthy();
    expect(dialog.getByText('a100-8')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Move' }));
    await waitFor(() =>
      expect(calls.filter(({ path }) => path === 'nodes/move').map(({ body }) => body)).toEqual(
        [true, false].map((preview) => ({ nodes: ['a100-1', 't4-1'], pool: 'big', preview })),
      ),
    );
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
  });

  it("are nobody else's to choose", async () => {
    open('/nodes?view=table');
    await screen.findByRole('table');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });
});
