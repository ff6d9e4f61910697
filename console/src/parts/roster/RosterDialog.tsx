/** Many people at once: pasted or from a file; first a look at who is meant, then the change. */
import '@/ui/theme/kit-forms.css';
import { Button, FileButton, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { RosterBody, RosterReport } from '@/api/groups';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { mistakesIn } from '../mistakes';
import { Dialog } from '@/ui/dialog/Dialog';
import { Icon } from '@/ui/icons';
import { Refused } from '../Refused';
import { replaceWord } from './replace';
import { RosterPreview } from './RosterPreview';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from './Roster.module.css';

interface Props {
  title: string;
  /** What to do with the people, by the API. */
  change: (body: RosterBody) => Promise<RosterReport>;
  /** A table may also say what each is to be. */
  withRoles?: boolean;
  /** More to choose, above the text. */
  children?: ReactNode;
  onDone: () => void;
  onClose: () => void;
}

export default function RosterDialog({ title, change, withRoles, children, onDone, onClose }: Props) {
  const t = useT();
  const [text, setText] = useState('');
  const look = useMutation({ mutationFn: (said: string) => change({ text: said, preview: true }) });
  const add = useSave({
    save: () => change({ text }),
    close: onClose,
    said: ({ changed }) => t('roster.added', { count: changed.length }),
    after: onDone,
  });
  const type = (next: string) => {
    setText(next);
    look.reset();
    add.reset();
  };
  const take = async (file: File | null) => {
    if (!file) return;
    const read = await file.text();
    type(read);
    look.mutate(read);
  };
  /** Puts the name that was meant in place of the one that was written. */
  const mend = (word: string, name: string) => {
    const next = replaceWord(text, word, name);
    setText(next);
    add.reset();
    look.mutate(next);
  };
  const error = add.error ?? look.error;
  const ready = look.data !== undefined && look.data.changed.length > 0;
  return (
    <Dialog title={title} onClose={onClose} size={560} sticky={add.isPending}>
      <form
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) add.mutate();
          else look.mutate(text);
        }}
      >
        {children}
        <Textarea
          data-autofocus
          label={t('roster.who')}
          description={t(withRoles ? 'roster.hintRoles' : 'roster.hint')}
          classNames={{ input: ink.code! }}
          rows={6}
          spellCheck={false}
          autoComplete="off"
          error={mistakesIn(error).mistakes.text}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <div className={layout.row}>
          <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => void take(file)}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<Icon name="paste" />}>
                {t('roster.file')}
              </Button>
            )}
          </FileButton>
        </div>
        {look.data && <RosterPreview report={look.data} onMend={mend} />}
        <Refused error={error} fields={['text']} />
        <div className={style.foot}>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          {ready ? (
            <Button type="submit" loading={add.isPending}>
              {t('roster.add', { count: look.data.changed.length })}
            </Button>
          ) : (
            <Button type="submit" disabled={text.trim() === '' || look.data !== undefined} loading={look.isPending}>
              {t('roster.look')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
