/** One request: who asks for what and why, what became of it, and the buttons for those whose word it waits for. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { AccessRequest } from '@/api/requests';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { RequestStatus } from '@/ui/words/Status';
import { Ago } from '@/ui/words/Time';
import { Asked } from './Asked';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Requests.module.css';

const DecideRequest = lazy(() => import('./DecideRequest'));
const WithdrawRequest = lazy(() => import('./WithdrawRequest'));

export function RequestCard({ request }: { request: AccessRequest }) {
  const t = useT();
  const me = useMe();
  const [open, setOpen] = useState<'approve' | 'refuse' | 'withdraw' | null>(null);
  const close = () => setOpen(null);
  const { state, user, note, created_at, decided_by, decided_at, answer, can_decide } = request;
  return (
    <li className={style.card}>
      <div className={style.words}>
        <p className={style.title}>
          <RequestTitle request={request} />
        </p>
        <p className={ink.fine}>
          {t('requests.askedBy', { user })} · <Ago at={created_at} />
        </p>
        {request.asked && <Asked asked={request.asked} />}
        {note && <blockquote className={style.note}>{note}</blockquote>}
        {state !== 'open' && (
          <p className={ink.fine}>
            {decided_by && state !== 'withdrawn' && `${t('requests.decidedBy', { user: decided_by })} · `}
            {decided_at && <Ago at={decided_at} />}
            {answer && <span className={style.answer}> · {t('requests.answered', { answer })}</span>}
          </p>
        )}
      </div>
      <div className={style.side}>
        <RequestStatus state={state} />
        {state === 'open' && (
          <div className={layout.row}>
            {user === me.name && (
              <Button variant="default" onClick={() => setOpen('withdraw')}>
                {t('requests.withdraw')}
              </Button>
            )}
            {can_decide && (
              <Button variant="default" onClick={() => setOpen('refuse')}>
                {t('requests.refuse')}
              </Button>
            )}
            {can_decide && <Button onClick={() => setOpen('approve')}>{t('requests.approve')}</Button>}
          </div>
        )}
      </div>
      <Suspense fallback={null}>
        {(open === 'approve' || open === 'refuse') && <DecideRequest request={request} approve={open === 'approve'} onClose={close} />}
        {open === 'withdraw' && <WithdrawRequest request={request} onClose={close} />}
      </Suspense>
    </li>
  );
}

function RequestTitle({ request: { kind, subject } }: { request: AccessRequest }) {
  const t = useT();
  if (kind === 'quota') return t('requests.quotaTitle');
  return (
    <>
      {t('requests.joinTitle')}{' '}
      <Link to="/projects/$project" params={{ project: subject }}>
        {subject}
      </Link>
    </>
  );
}
