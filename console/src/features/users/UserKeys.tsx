/** The SSH keys of a person, as others see them. */
import { useQuery } from '@tanstack/react-query';
import { listUserKeys, userKeys } from '@/api/people';
import { useT } from '@/app/i18n';
import { Panel } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { Ago } from '@/ui/words/Time';
import layout from '@/ui/page/layout.module.css';
import style from './Users.module.css';

export function UserKeys({ name }: { name: string }) {
  const t = useT();
  const found = useQuery({ queryKey: userKeys.ssh(name), queryFn: ({ signal }) => listUserKeys(name, signal) });
  return (
    <Panel title={t('keys.title')}>
      {found.isPending && <Skeleton rows={2} />}
      {found.isError && <ErrorState small error={found.error} retry={() => void found.refetch()} />}
      {found.data?.length === 0 && <p className={style.quiet}>{t('keys.count', { count: 0 })}</p>}
      {found.data && found.data.length > 0 && (
        <ul className={layout.facing}>
          {found.data.map((key) => (
            <li key={key.id}>
              <span>
                <strong>{key.name}</strong>{' '}
                <span className="mono">
                  {key.type} {key.fingerprint}
                </span>
              </span>
              <span className={style.quiet}>
                <Ago at={key.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
