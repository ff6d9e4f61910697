/** Pin, unpin and close, for one job or many: a question first where it hurts, a word when it is done. */
import type { ReactNode } from 'react';
import { lazy, Suspense, useState } from 'react';
import { stopJob } from '@/api/jobs';
import { pinJob, unpinJob } from '@/api/queue';
import type { QueueItem } from '@/api/queue';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { useSave } from '@/parts/useSave';
import { errorText } from '@/ui/page/States';
import { refreshQueue } from '../useQueue';
import { jobName } from '../words';

const CloseDialog = lazy(() => import('./CloseDialog'));

export type QueueAction = 'pin' | 'unpin' | 'close';

const CALLS: Record<QueueAction, (job: string) => Promise<unknown>> = { pin: pinJob, unpin: unpinJob, close: stopJob };
const DONE: Record<QueueAction, MessageKey> = { pin: 'queue.donePin', unpin: 'queue.doneUnpin', close: 'queue.doneClose' };

/** `run` begins an action, and all done calls `onDone`; `dialogs` must be somewhere on the page. */
export function useQueueActions(onDone: () => void): {
  run: (action: QueueAction, items: QueueItem[]) => void;
  dialogs: ReactNode;
  busy: boolean;
} {
  const t = useT();
  const [closing, setClosing] = useState<QueueItem[] | null>(null);
  const { mutate, isPending } = useSave({
    save: ({ action, items }: { action: QueueAction; items: QueueItem[] }) => doAll(action, items),
    close: () => setClosing(null),
    said: ({ done }, { action }) => (done[0] ? t(DONE[action], { count: done.length, name: jobName(done[0], t) }) : undefined),
    after: ({ refused }) => {
      for (const { item, error } of refused)
        notify({ bad: true, title: t('queue.refused', { name: jobName(item, t) }), message: errorText(error, t) });
      if (refused.length === 0) onDone();
      refreshQueue();
    },
  });
  return {
    run: (action, items) => (action === 'close' ? setClosing(items) : mutate({ action, items })),
    busy: isPending,
    dialogs: closing && (
      <Suspense fallback={null}>
        <CloseDialog
          items={closing}
          busy={isPending}
          onCancel={() => setClosing(null)}
          onConfirm={() => mutate({ action: 'close', items: closing })}
        />
      </Suspense>
    ),
  };
}

interface Outcome {
  done: QueueItem[];
  refused: { item: QueueItem; error: unknown }[];
}

/** One after the other, the last first: the latest pin goes first, so the chosen keep the order they have. */
async function doAll(action: QueueAction, items: QueueItem[]): Promise<Outcome> {
  const outcome: Outcome = { done: [], refused: [] };
  for (const item of items.toReversed()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the order is what matters
      await CALLS[action](item.job_id ?? '');
      outcome.done.push(item);
    } catch (error) {
      outcome.refused.push({ item, error });
    }
  }
  return outcome;
}
