/** The whole answer to "why does it wait", beside the queue. */
import '@/ui/theme/kit-dialogs.css';
import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getJob, jobKeys } from '@/api/jobs';
import { ApiError } from '@/api/problem';
import { queueKeys, whyJob } from '@/api/queue';
import { useT } from '@/app/i18n';
import { WaitingPanel } from '@/parts/waiting/WaitingPanel';
import { useReturnFocus } from '@/ui/dialog/Dialog';
import { Icon } from '@/ui/icons';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import style from './WhyPanel.module.css';

export default function WhyPanel({ job, onClose }: { job: string; onClose: () => void }) {
  const t = useT();
  const detail = useQuery({ queryKey: jobKeys.detail(job), queryFn: ({ signal }) => getJob(job, signal) });
  const why = useQuery({ queryKey: queueKeys.why(job), queryFn: ({ signal }) => whyJob(job, signal), retry: false });
  useReturnFocus();
  const name = detail.data?.name ?? '';
  const started = why.error instanceof ApiError && why.error.status === 409;
  return (
    // Of the kit's parts: its own heading would be a second banner of the page.
    <Drawer.Root opened onClose={onClose} position="right" size={520}>
      <Drawer.Overlay backgroundOpacity={0.3} />
      <Drawer.Content>
        <div className={style.head}>
          <Drawer.Title className={style.title}>{t('why.title', { name })}</Drawer.Title>
          <Drawer.CloseButton aria-label={t('action.close')} />
        </div>
        <div className={style.panel}>
          {(why.isPending || (detail.isPending && !why.isError)) && <Skeleton rows={6} />}
          {started && (
            <EmptyState icon="done" title={t('why.over')}>
              {t('why.overText')}
            </EmptyState>
          )}
          {why.isError && !started && !why.data && <ErrorState error={why.error} retry={() => void why.refetch()} />}
          {why.data && detail.data && !started && <WaitingPanel job={detail.data} why={why.data} />}
          <Link to="/jobs/$job" params={{ job }} className={style.more}>
            {t('why.open')} <Icon name="right" size={14} />
          </Link>
        </div>
      </Drawer.Content>
    </Drawer.Root>
  );
}
