/** The browsers in which one is signed in; one or all others can be signed out. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { endOtherSessions, endSession, listSessions, meKeys } from '@/api/me';
import type { OwnSession } from '@/api/me';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Panel } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { Ago } from '@/ui/words/Time';
import { readAgent } from './agent';
import style from './Profile.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));

/** One session, or all but this one. */
type Ending = OwnSession | 'others';

export function Sessions() {
  const t = useT();
  const [ending, setEnding] = useState<Ending | null>(null);
  const sessions = useQuery({ queryKey: meKeys.sessions, queryFn: ({ signal }) => listSessions(signal) });
  const columns = useSessionColumns(setEnding);
  const hasOthers = sessions.data?.some(({ current }) => !current) ?? false;
  const endOthers = hasOthers && (
    <Button variant="default" onClick={() => setEnding('others')}>
      {t('sessions.endOthers')}
    </Button>
  );
  return (
    <Panel title={t('sessions.title')} aside={endOthers} flush>
      {sessions.isPending && <Skeleton rows={3} />}
      {sessions.isError && !sessions.data && <ErrorState error={sessions.error} retry={() => void sessions.refetch()} />}
      {sessions.data && <DataTable label={t('sessions.title')} columns={columns} rows={sessions.data} rowKey={({ id }) => id} />}
      {ending && <End ending={ending} onClose={() => setEnding(null)} />}
    </Panel>
  );
}

function useSessionColumns(onEnd: (session: OwnSession) => void): Column<OwnSession>[] {
  const t = useT();
  return useMemo(
    () => [
      {
        id: 'browser',
        header: t('sessions.browser'),
        cell: (session) => <span title={session.agent}>{nameOf(session, t)}</span>,
      },
      { id: 'address', header: t('sessions.address'), width: '130px', hideBelow: 'tablet', cell: (session) => session.address || '–' },
      { id: 'since', header: t('sessions.since'), width: '110px', hideBelow: 'phone', cell: (session) => <Ago at={session.created_at} /> },
      { id: 'seen', header: t('sessions.seen'), width: '110px', cell: (session) => <Ago at={session.seen_at} /> },
      {
        id: 'actions',
        header: t('jobs.actions'),
        hiddenHeader: true,
        width: '130px',
        align: 'right',
        cell: (session) =>
          session.current ? (
            <span className={style.tag}>{t('sessions.this')}</span>
          ) : (
            <button
              type="button"
              className={style.revoke}
              aria-label={t('sessions.endName', { browser: nameOf(session, t) })}
              onClick={() => onEnd(session)}
            >
              {t('sessions.end')}
            </button>
          ),
      },
    ],
    [t, onEnd],
  );
}

function nameOf({ agent }: OwnSession, t: Translate): string {
  const { browser, system } = readAgent(agent) ?? {};
  if (browser && system) return t('sessions.agent', { browser, system });
  return browser ?? system ?? t('sessions.unknown');
}

function End({ ending, onClose }: { ending: Ending; onClose: () => void }) {
  const t = useT();
  const end = useSave({
    save: () => (ending === 'others' ? endOtherSessions() : endSession(ending.id)),
    close: onClose,
    said: t('sessions.ended'),
    invalidate: [meKeys.sessions],
    always: true,
    failed: t('sessions.failed'),
    refused: onClose,
  });
  const others = ending === 'others';
  return (
    <Suspense fallback={null}>
      <Confirm
        title={others ? t('sessions.endOthers') : t('sessions.endName', { browser: nameOf(ending, t) })}
        text={others ? t('sessions.endOthersText') : t('sessions.endText')}
        action={t('sessions.end')}
        busy={end.isPending}
        onConfirm={end.mutate}
        onClose={onClose}
      />
    </Suspense>
  );
}
