/** A folder of one's own computer as code: dropped or chosen, packed and uploaded here, as the command line does it. */
import { Button, Progress } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { uploadCode } from '@/api/code';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { errorText } from '@/ui/page/States';
import { formatBytes, formatCount } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';
import { chosen, dropped, MOST_BYTES, MOST_FILES, TooMuch, walk } from './folder';
import type { CodeFolder, Node } from './folder';
import { canPack, pack } from './pack';
import style from './CodeFolderDrop.module.css';

type Taken = Pick<CodeFolder, 'name' | 'size'> & { count: number };
/** What was uploaded from this page, by its digest: the form may be folded meanwhile. */
const takenBefore = new Map<string, Taken>();

interface Step {
  word: 'reading' | 'packing' | 'sending';
  share: number;
}

interface Props {
  /** What the job's code is now, if it is uploaded. */
  archive: string | undefined;
  onChange: (archive: string | undefined) => void;
}

export default function CodeFolderDrop({ archive, onChange }: Props) {
  const t = useT();
  const [step, setStep] = useState<Step>();
  const [error, setError] = useState<string>();
  const [over, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const work = useRef<AbortController>(undefined);
  useEffect(() => () => work.current?.abort(), []);
  const taken = archive === undefined ? undefined : takenBefore.get(archive);

  const take = async (folder: Node | undefined) => {
    if (!folder) return setError(t('codeFolder.notOne'));
    if (!canPack()) return setError(t('codeFolder.oldBrowser'));
    const stop = new AbortController();
    work.current?.abort();
    work.current = stop;
    setError(undefined);
    try {
      const digest = await send(folder, setStep, stop.signal);
      onChange(digest);
    } catch (cause) {
      if (!stop.signal.aborted) setError(sentence(cause, t));
    } finally {
      if (work.current === stop) setStep(undefined);
    }
  };

  if (step) {
    return (
      <div className={style.zone} role="status">
        <span>{t(WORDS[step.word])}</span>
        <Progress className={style.bar} value={step.share * 100} aria-label={t(WORDS[step.word])} />
        <Button variant="default" onClick={() => work.current?.abort()}>
          {t('codeFolder.cancel')}
        </Button>
      </div>
    );
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the button does the same by keyboard */}
      <div
        className={style.zone}
        data-over={over || undefined}
        role="group"
        aria-label={t('codeFolder.title')}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(dropped(event.dataTransfer.items));
        }}
      >
        {taken ? (
          <>
            <Icon name="projects" />
            <span className={style.words}>
              <b>{taken.name}</b>{' '}
              <span className={ink.fine}>{t('codeFolder.taken', { count: taken.count, size: formatBytes(taken.size) })}</span>
            </span>
            <Button variant="default" onClick={() => onChange(undefined)}>
              {t('codeFolder.remove')}
            </Button>
          </>
        ) : (
          <span className={style.words}>
            {t('codeFolder.drop')}{' '}
            <span className={ink.fine}>{t('codeFolder.bounds', { size: formatBytes(MOST_BYTES), files: formatCount(MOST_FILES) })}</span>
          </span>
        )}
        <Button variant="default" onClick={() => picker.current?.click()}>
          {t('codeFolder.choose')}
        </Button>
        <input
          ref={(input) => {
            picker.current = input;
            input?.setAttribute('webkitdirectory', '');
          }}
          type="file"
          hidden
          aria-label={t('codeFolder.choose')}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            if (files.length > 0) void take(chosen(files));
          }}
        />
      </div>
      {error !== undefined && (
        <p className={ink.error} role="alert">
          {error}
        </p>
      )}
    </>
  );
}

const WORDS = { reading: 'codeFolder.reading', packing: 'codeFolder.packing', sending: 'codeFolder.sending' } as const;

async function send(node: Node, tell: (step: Step) => void, signal: AbortSignal): Promise<string> {
  tell({ word: 'reading', share: 0 });
  const folder = await walk(node);
  signal.throwIfAborted();
  const { digest, body } = await pack(folder, (done) => tell({ word: 'packing', share: done / Math.max(1, folder.size) }), signal);
  await uploadCode(digest, body, (sent) => tell({ word: 'sending', share: sent / body.size }), signal);
  takenBefore.set(digest, { name: folder.name, size: folder.size, count: folder.files.length });
  return digest;
}

function sentence(cause: unknown, t: Translate): string {
  if (cause instanceof TooMuch) return t('codeFolder.tooMuch', { size: formatBytes(MOST_BYTES), files: formatCount(MOST_FILES) });
  if (cause instanceof DOMException) return t('codeFolder.unreadable');
  return errorText(cause, t);
}
