/** What is being uploaded: all together and file by file, to pause, to go on with and to cancel. */
import { Button } from '@mantine/core';
import { shownPath } from '@/api/files';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import { RowButton } from '@/ui/table/RowButton';
import { formatBytes } from '@/ui/words/format';
import type { Upload, UploadState } from './queue';
import { isTaken } from './tus';
import { useUploads } from './uploads';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from '../Volumes.module.css';

const WORDS: Record<UploadState, MessageKey> = {
  waiting: 'upload.waiting',
  sending: 'upload.sending',
  paused: 'upload.paused',
  failed: 'upload.failed',
  done: 'upload.done',
};

export function UploadPanel() {
  const t = useT();
  const { queue, now } = useUploads();
  if (now.count === 0) return null;
  const { count, done, failed, paused, taken, open, size, sent } = now;
  const ended = open === 0 && paused === 0 && failed === 0;
  const text = t('upload.total', { done, count, sent: formatBytes(sent), size: formatBytes(size) });
  return (
    <Panel title={t(ended ? 'upload.allDone' : 'upload.title')}>
      <div className={style.uploads}>
        <div className={style.total}>
          <Bar label={t('upload.title')} sent={sent} size={size} text={text} bad={failed > 0} />
          <span role="status">{text}</span>
          {failed > 0 && <span className={ink.danger}>{t('upload.failedCount', { count: failed })}</span>}
          <span className={layout.row}>
            {open > 0 && (
              <Button size="compact-xs" variant="default" leftSection={<Icon name="pause" size={12} />} onClick={() => queue.pause()}>
                {t('upload.pauseAll')}
              </Button>
            )}
            {taken > 0 && (
              <Button size="compact-xs" variant="default" onClick={() => queue.replace()}>
                {t('upload.replaceAll', { count: taken })}
              </Button>
            )}
            {paused + failed > taken && (
              <Button size="compact-xs" variant="default" leftSection={<Icon name="play" size={12} />} onClick={() => queue.resume()}>
                {t('upload.resumeAll')}
              </Button>
            )}
            {!ended && (
              <Button size="compact-xs" variant="default" onClick={() => queue.cancel()}>
                {t('upload.cancelAll')}
              </Button>
            )}
            {done > 0 && (
              <Button size="compact-xs" variant="default" onClick={() => queue.clear()}>
                {t('upload.clear')}
              </Button>
            )}
          </span>
        </div>
        {/* What is there needs no row. */}
        {!ended && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
          <ul className={style.rows} aria-label={t('upload.title')} tabIndex={0}>
            {now.shown.map((upload) => (
              <Row key={upload.id} upload={upload} />
            ))}
          </ul>
        )}
        {!ended && count > now.shown.length && <p className={ink.fine}>{t('upload.more', { count: count - now.shown.length })}</p>}
      </div>
    </Panel>
  );
}

function Row({ upload: { id, path, size, sent, state, error } }: { upload: Upload }) {
  const t = useT();
  const { queue } = useUploads();
  const name = shownPath(path);
  const words = t(state === 'sending' && error ? 'upload.retrying' : WORDS[state]);
  return (
    <li>
      <span className={ink.cut} title={name}>
        {name}
      </span>
      <Bar label={name} sent={sent} size={size} text={`${formatBytes(sent)} / ${formatBytes(size)}`} bad={state === 'failed'} />
      <span className={ink.fine}>
        {words} · {formatBytes(size)}
      </span>
      <span className={style.acts}>
        {(state === 'sending' || state === 'waiting') && (
          <RowButton icon="pause" label={t('upload.pause', { name })} onClick={() => queue.pause(id)} />
        )}
        {(state === 'paused' || (state === 'failed' && !isTaken(error))) && (
          <RowButton icon="play" label={t('upload.resume', { name })} onClick={() => queue.resume(id)} />
        )}
        {isTaken(error) && (
          <Button size="compact-xs" variant="default" onClick={() => queue.replace(id)}>
            {t('upload.replace')}
          </Button>
        )}
        {state !== 'done' && <RowButton danger icon="close" label={t('upload.cancel', { name })} onClick={() => queue.cancel(id)} />}
      </span>
      {error ? (
        <p className={state === 'failed' ? ink.error : ink.finer} role={state === 'failed' ? 'alert' : undefined}>
          {errorText(error, t)}
        </p>
      ) : null}
    </li>
  );
}

function Bar({ label, sent, size, text, bad }: { label: string; sent: number; size: number; text: string; bad: boolean }) {
  const percent = size === 0 ? 100 : Math.floor((sent / size) * 100);
  return (
    <span
      className={style.upload}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={text}
      data-bad={bad || undefined}
    >
      <i style={{ width: `${percent}%` }} />
    </span>
  );
}
