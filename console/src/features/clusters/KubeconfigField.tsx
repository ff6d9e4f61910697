/** How to sign in to a cluster: a kubeconfig, pasted or from a file, and one of its contexts; or Danlu's own account. */
import { Button, Checkbox, FileButton, NativeSelect, Textarea } from '@mantine/core';
import { useMemo } from 'react';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { Draft } from './draft';
import { contextsOf } from './kubeconfig';
import ink from '@/ui/theme/ink.module.css';
import style from './Clusters.module.css';

interface Props {
  draft: Draft;
  mistakes: Partial<Record<string, string>>;
  onChange: (change: Partial<Draft>) => void;
  /** There is one already, which stays if nothing is said. */
  kept?: boolean;
}

export function KubeconfigField({ draft, mistakes, onChange, kept }: Props) {
  const t = useT();
  const { kubeconfig, context, inCluster } = draft;
  const contexts = useMemo(() => (kubeconfig.trim() ? contextsOf(kubeconfig) : undefined), [kubeconfig]);
  const take = async (file: File | null) => {
    if (file) onChange({ kubeconfig: await file.text(), context: '' });
  };
  return (
    <>
      <Checkbox
        label={t('clusters.inCluster')}
        description={t('clusters.inClusterText')}
        error={inCluster ? (mistakes.in_cluster ?? mistakes.kubeconfig) : undefined}
        checked={inCluster}
        onChange={(event) => onChange({ inCluster: event.currentTarget.checked })}
      />
      {!inCluster && (
        <>
          <Textarea
            label={t('clusters.kubeconfig')}
            description={kept ? `${t('clusters.kubeconfigHint')} ${t('clusters.kubeconfigKept')}` : t('clusters.kubeconfigHint')}
            error={mistakes.kubeconfig ?? (contexts === null ? t('clusters.badKubeconfig') : undefined)}
            classNames={{ input: ink.code! }}
            rows={5}
            spellCheck={false}
            autoComplete="off"
            value={kubeconfig}
            onChange={(event) => onChange({ kubeconfig: event.currentTarget.value, context: '' })}
          />
          <div className={style.beside}>
            <FileButton onChange={(file) => void take(file)}>
              {(props) => (
                <Button {...props} variant="default" leftSection={<Icon name="paste" />}>
                  {t('clusters.chooseFile')}
                </Button>
              )}
            </FileButton>
            {contexts && (
              <NativeSelect
                label={t('clusters.context')}
                className={style.context}
                data={contexts.names}
                error={mistakes.context}
                value={context || contexts.current}
                onChange={(event) => onChange({ context: event.currentTarget.value })}
              />
            )}
          </div>
        </>
      )}
    </>
  );
}
