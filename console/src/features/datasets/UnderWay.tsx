/** How far snapshots and verifications are; and of the last one why it failed, until another ends well. */
import { Button } from '@mantine/core';
import { cancelAct, datasetKeys } from '@/api/datasets';
import type { DatasetAct, DatasetVersion } from '@/api/datasets';
import type { MessageKey } from '@/app/i18n';
import { useSentence, useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Notice } from '@/ui/page/Panel';
import { formatBytes } from '@/ui/words/format';
import { Ago } from '@/ui/words/Time';
import { EndedImport, Import } from './Imports';
import { isUnderWay } from './useActs';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from './Datasets.module.css';

interface Props {
  dataset: string;
  /** The newest first. */
  acts: readonly DatasetAct[];
  versions: readonly DatasetVersion[] | undefined;
  mayCancel: boolean;
}

export function UnderWay({ dataset, acts, versions, mayCancel }: Props) {
  const open = acts.filter(isUnderWay).toReversed();
  const last = acts.find(({ state, recipe }) => state === 'done' || state === 'failed' || (state === 'cancelled' && recipe));
  return (
    <>
      {open.length > 0 && (
        <ul className={style.acts}>
          {open.map((act) => (
            <Act
              key={act.id}
              dataset={dataset}
              act={act}
              of={versions?.find(({ version }) => version === act.version)}
              mayCancel={mayCancel}
            />
          ))}
        </ul>
      )}
      {last && open.length === 0 && (last.recipe ? <EndedImport dataset={dataset} act={last} /> : <Ended act={last} />)}
    </>
  );
}

function Act({ dataset, act, of, mayCancel }: { dataset: string; act: DatasetAct; of: DatasetVersion | undefined; mayCancel: boolean }) {
  const t = useT();
  const cancel = useSave({
    save: () => cancelAct(dataset, act.id),
    invalidate: [datasetKeys.acts(dataset)],
    always: true,
    failed: t('datasets.failed'),
  });
  const cancelButton = (
    <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
      {t('action.cancel')}
    </Button>
  );
  if (act.kind === 'import') return <Import act={act} cancel={mayCancel && cancelButton} />;
  const verifies = act.kind === 'verify';
  const waits = act.state === 'waiting';
  const title = verifies ? t('datasets.verifying', { version: act.version ?? '' }) : t('datasets.snapshotting', { place: act.place });
  const told: MessageKey = verifies ? 'datasets.verifiedSoFar' : 'datasets.readSoFar';
  // Only of what was counted before is it known how much there is.
  const share = verifies && of && of.files > 0 ? Math.min(1, act.files / of.files) : undefined;
  const percent = share === undefined ? undefined : Math.round(share * 100);
  return (
    <li className={style.act}>
      <span className={ink.strong}>{title}</span>
      <span
        className={style.progress}
        role="progressbar"
        aria-label={title}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        data-waits={waits || undefined}
        data-open={percent === undefined || undefined}
      >
        <i style={percent === undefined ? undefined : { width: `${percent}%` }} />
      </span>
      <span className={ink.quiet}>
        {waits
          ? t('datasets.actWaits')
          : t(told, { files: act.files, total: of?.files ?? 0, size: formatBytes(act.bytes), stored: formatBytes(act.stored) })}
      </span>
      {mayCancel && cancelButton}
    </li>
  );
}

function Ended({ act }: { act: DatasetAct }) {
  const t = useT();
  const say = useSentence();
  if (act.state === 'failed')
    return (
      <Notice
        tone="red"
        icon="failed"
        title={
          act.kind === 'verify'
            ? t('datasets.verifyFailed', { version: act.version ?? '' })
            : t('datasets.snapshotFailed', { place: act.place })
        }
      >
        {act.error && say(act.error)} <span className={ink.quiet}>{act.ended_at && <Ago at={act.ended_at} />}</span>
      </Notice>
    );
  if (act.kind !== 'verify' || act.damaged === 0) return null;
  return (
    <Notice tone="red" icon="warning" title={t('datasets.damaged', { count: act.damaged, version: act.version ?? '' })}>
      <div className={layout.rows}>
        <span>{t('datasets.damagedText')}</span>
        {act.found.map((name) => (
          <code key={name}>{name}</code>
        ))}
      </div>
    </Notice>
  );
}
