/** Of a dataset without versions: what to do. */
import { Button } from '@mantine/core';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { EmptyState } from '@/ui/page/States';

export function NoVersion({ onMake }: { onMake: (() => void) | undefined }) {
  const t = useT();
  return (
    <EmptyState
      icon="datasets"
      title={t('datasets.noVersions')}
      action={
        onMake && (
          <Button variant="default" leftSection={<Icon name="plus" />} onClick={onMake}>
            {t('datasets.newVersion')}
          </Button>
        )
      }
    >
      {t('datasets.noVersionsText')}
    </EmptyState>
  );
}
