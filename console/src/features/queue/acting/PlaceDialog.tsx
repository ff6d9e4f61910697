/** Asks for a place among one's own jobs, for those who would rather type than drag. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/app/i18n';
import { Dialog } from '@/ui/dialog/Dialog';
import type { Line } from '../lines';
import layout from '@/ui/page/layout.module.css';

interface Props {
  name: string;
  job: string;
  line: Line;
  onClose: () => void;
  onPlace: (to: number) => void;
}

export default function PlaceDialog({ name, job, line, onClose, onPlace }: Props) {
  const t = useT();
  const [text, setText] = useState(String(line.indexOf(job) + 1));
  const [told, setTold] = useState(false);
  const place = Number(text);
  const wrong = !Number.isInteger(place) || place < 1 || place > line.length;
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    setTold(true);
    if (wrong) return;
    onPlace(place - 1);
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={t('queue.placeTitle', { name })}>
      <form onSubmit={submit} noValidate>
        <TextInput
          label={t('queue.placeLabel')}
          description={t('queue.placeRule', { count: line.length })}
          error={told && wrong ? t('queue.placeWrong', { count: line.length }) : undefined}
          inputMode="numeric"
          value={text}
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => setTold(true)}
          onChange={(event) => setText(event.currentTarget.value.trim())}
        />
        <div className={layout.answers}>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit">{t('queue.move')}</Button>
        </div>
      </form>
    </Dialog>
  );
}
