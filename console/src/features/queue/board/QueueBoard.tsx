/** The queue at work: rows that can be dragged, menus, and what administrators do with many. Loaded after the page's frame. */
import { lazy, Suspense, useMemo, useState } from 'react';
import type { QueueItem } from '@/api/queue';
import { useT } from '@/app/i18n';
import { useMay } from '@/app/session';
import { useShortcut } from '@/app/shortcuts';
import { sizeOf } from '@/parts/jobs/size';
import { DragList } from '@/ui/drag/DragList';
import type { Held } from '@/ui/drag/DragList';
import { BulkBar } from './BulkBar';
import { arranged, placed, slotName } from '../lines';
import type { Line } from '../lines';
import { QueueTable } from './QueueTable';
import { TurnMenu } from '../acting/TurnMenu';
import type { OpenTurnMenu } from '../acting/TurnMenu';
import { useDragWords } from './useDragWords';
import { sameOrder, useHeldBack } from './useHeldBack';
import { useQueueActions } from '../acting/useQueueActions';
import { useOwnPlaces } from '../useQueue';
import type { Waiting } from '../useQueue';
import { useRowFocus } from './useRowFocus';
import { useStable } from './useStable';
import { useTurns } from '../acting/useTurns';
import { jobName } from '../words';
import style from '../Queue.module.css';
import table from './QueueTable.module.css';

const PlaceDialog = lazy(() => import('../acting/PlaceDialog'));

interface Props {
  waiting: Waiting;
  dimmed: boolean;
  onShown: (row: number) => void;
  onWhy: (job: string) => void;
  onOwner: (owner: string) => void;
}

export default function QueueBoard({ waiting, dimmed, onShown, onWhy, onOwner }: Props) {
  const t = useT();
  const mayPin = useMay('queue:pin');
  const mayOrder = useMay('queue:order');
  const turns = useTurns(useOwnPlaces());
  const { asWanted } = turns;
  const [held, setHeld] = useState<Held | null>(null);
  const [menu, setMenu] = useState<OpenTurnMenu | null>(null);
  const [placing, setPlacing] = useState<QueueItem | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { run, dialogs, busy } = useQueueActions(() => setChosen(new Set()));
  const focus = useRowFocus();

  const wanted = useMemo(() => asWanted(waiting.items), [asWanted, waiting.items]);
  const holding = held !== null || menu !== null || placing !== null;
  const shown = useHeldBack(wanted, holding);
  const lines = useHeldBack(turns.lines, holding, turns.lines.size > 0);
  const behind = holding && !sameOrder(shown, wanted);
  const byJob = useMemo(() => new Map(shown.map((item) => [slotName(item), item])), [shown]);
  const lineFor = (item: QueueItem): Line | undefined => (mayOrder && item.mine ? lines.get(item.job_id ?? '') : undefined);

  const slotOf = (item: QueueItem) => (lineFor(item) ? slotName(item) : undefined);
  const slotsOf = (slot: string): string[] => {
    const item = byJob.get(slot);
    // Those further down that are not loaded yet are no places to land on.
    return item ? (lineFor(item) ?? []).map((job) => slotName({ ...item, job_id: job })).filter((one) => byJob.has(one)) : [];
  };
  const itemOf = (slot: string) => byJob.get(slot);
  const preview = useMemo(() => {
    const item = held && byJob.get(held.id);
    const line = item && lines.get(item.job_id ?? '');
    return held && line ? arranged(shown, placed(line, item.job_id!, held.to)) : shown;
  }, [shown, held, byJob, lines]);

  const move = (item: QueueItem, to: number) => {
    const line = lineFor(item);
    if (!line) return;
    focus.keep(item);
    turns.move(line, item.job_id!, to);
  };
  const step = (item: QueueItem, by: number) => {
    const line = lineFor(item);
    if (line) move(item, line.indexOf(item.job_id!) + by);
  };
  const actions = useStable({
    onShown,
    onWhy,
    onOwner,
    onStep: step,
    onMenu: (item: QueueItem, button: HTMLElement) => setMenu({ item, button }),
    onChoose: (job: string, yes: boolean) =>
      setChosen((before) => new Set(yes ? [...before, job] : [...before].filter((one) => one !== job))),
  });
  const chosenItems = useMemo(() => onePerJob(shown.filter((item) => chosen.has(item.job_id ?? ''))), [shown, chosen]);
  const words = useDragWords(itemOf, lineFor);
  useShortcut('j', t('queue.keyNext'), () => focus.step(1));
  useShortcut('k', t('queue.keyPrevious'), () => focus.step(-1));
  // The rows themselves listen for these; here they are named for the help sheet.
  useShortcut('alt+ArrowUp', t('queue.keyUp'), () => undefined, { enabled: mayOrder });
  useShortcut('alt+ArrowDown', t('queue.keyDown'), () => undefined, { enabled: mayOrder });

  return (
    <DragList
      held={held}
      onHeld={setHeld}
      slotsOf={slotsOf}
      words={words}
      onDrop={({ id, to }) => byJob.has(id) && move(byJob.get(id)!, to)}
      preview={(slot) => <Carried item={itemOf(slot)} />}
    >
      <div className={style.frame} ref={focus.frame}>
        <p role="status" className={style.behind} data-on={behind || undefined}>
          {behind && t('queue.movedOn')}
        </p>
        <QueueTable
          items={shown}
          preview={preview}
          lanes={waiting.lanes}
          held={held}
          slotOf={slotOf}
          actions={actions}
          chosen={mayPin ? chosen : undefined}
          dimmed={dimmed}
          onShown={actions.onShown}
        />
        {chosenItems.length > 0 && (
          <BulkBar items={chosenItems} busy={busy} onAction={(action) => run(action, chosenItems)} onClear={() => setChosen(new Set())} />
        )}
      </div>
      <TurnMenu
        open={menu}
        line={menu ? lineFor(menu.item) : undefined}
        mayPin={mayPin}
        onClose={() => setMenu(null)}
        onMove={move}
        onPlace={setPlacing}
        onAction={(action, item) => run(action, [item])}
        onWhy={onWhy}
      />
      <Suspense fallback={null}>
        {placing && (
          <PlaceDialog
            name={jobName(placing, t)}
            line={lineFor(placing) ?? []}
            job={placing.job_id ?? ''}
            onClose={() => setPlacing(null)}
            onPlace={(to) => move(placing, to)}
          />
        )}
      </Suspense>
      {dialogs}
    </DragList>
  );
}

function Carried({ item }: { item: QueueItem | undefined }) {
  const t = useT();
  return item ? (
    <div className={table.carried}>
      <b>{jobName(item, t)}</b> {sizeOf(item, t)}
    </div>
  ) : null;
}

function onePerJob(items: QueueItem[]): QueueItem[] {
  return [...new Map(items.map((item) => [item.job_id, item])).values()];
}
