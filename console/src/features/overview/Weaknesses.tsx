/** For administrators: what is weak about the installation, as far as it is quickly seen. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getSystemHealth, systemKeys } from '@/api/system';
import { useSentence, useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { Notice } from '@/ui/page/Panel';

export function Weaknesses() {
  const t = useT();
  const say = useSentence();
  const enabled = useMayEverywhere('system:read');
  const { data } = useQuery({ queryKey: systemKeys.health, queryFn: ({ signal }) => getSystemHealth(signal), enabled });
  const weak = data?.weaknesses.filter(({ severity }) => severity !== 'low') ?? [];
  if (weak.length === 0) return null;
  const tone = weak.some(({ severity }) => severity === 'high') ? 'red' : 'amber';
  return (
    <Notice tone={tone} icon="warning" title={t('overview.weak', { count: weak.length })} role="status">
      {weak.map(({ code, text }) => (
        <p key={code}>{say(text)}</p>
      ))}
      <Link to="/system">{t('overview.weakMore')}</Link>
    </Notice>
  );
}
