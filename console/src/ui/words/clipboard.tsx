/** Copying, also on plain HTTP, where browsers give pages no clipboard; and a word where it cannot be done. */
import { ActionIcon, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { translate, useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';

const SHOWN_MS = 1500;

/** Only secure origins may read it. */
export const canPaste = (): boolean => typeof clipboard()?.readText === 'function';

/** Tells whether it is on the clipboard; if not, the person was told. */
export async function copyText(text: string): Promise<boolean> {
  const board = clipboard();
  // Without a pause where there is none: browsers copy only while they handle the click.
  const done = board ? (await byClipboard(board, text)) || bySelection(text) : bySelection(text);
  if (!done) notify({ bad: true, message: translate('action.copyFailed') });
  return done;
}

interface Props {
  text: string;
  /** What the button does; with `words` it is written on it. */
  label: string;
  words?: boolean;
  icon?: IconName;
  /** Its width in pixels. */
  size?: number;
}

export function Copy({ text, label, words = false, icon = 'copy', size = 28 }: Props) {
  const t = useT();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void copyText(text).then(setCopied);
  const said = copied ? t('action.copied') : label;
  const drawn = <Icon name={copied ? 'done' : icon} size={size < 24 ? 12 : 14} />;
  if (words)
    return (
      <Button variant="default" leftSection={drawn} onClick={copy}>
        {said}
      </Button>
    );
  return (
    <ActionIcon size={size} aria-label={said} title={said} onClick={copy}>
      {drawn}
    </ActionIcon>
  );
}

/** Browsers leave it out on plain HTTP, whatever the types say. */
function clipboard(): Clipboard | undefined {
  return navigator.clipboard as Clipboard | undefined;
}

async function byClipboard(board: Clipboard, text: string): Promise<boolean> {
  try {
    await board.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The way of before: a field that nobody sees, selected and copied. */
function bySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  // Inside an open dialog, which would take the focus back.
  (before?.closest('[role="dialog"]') ?? document.body).append(field);
  field.focus();
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
