/** Looks at a cluster that is in use, when asked to. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { checkCluster } from '@/api/clusters';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { Notice, Panel } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import { Trouble } from './Trouble';
import ink from '@/ui/theme/ink.module.css';

export function CheckPanel({ name }: { name: string }) {
  const t = useT();
  const check = useMutation({ mutationFn: () => checkCluster(name) });
  const again = (
    <Button variant="default" leftSection={<Icon name="restart" />} loading={check.isPending} onClick={() => check.mutate()}>
      {t(check.data ? 'clusters.checkAgain' : 'clusters.check')}
    </Button>
  );
  return (
    <Panel title={t('clusters.findings')} aside={again}>
      {check.error ? (
        <Notice tone="red" icon="warning" title={t('clusters.checkFailed')} role="alert">
          {errorText(check.error, t)}
        </Notice>
      ) : check.data ? (
        <Trouble report={check.data} error={null} />
      ) : (
        <p className={ink.fine}>{t('clusters.checkHint')}</p>
      )}
    </Panel>
  );
}
