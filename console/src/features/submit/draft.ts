/** What was written and not sent, kept in this browser. */
import { useEffect, useState } from 'react';

export interface Draft {
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

const keyOf = (person: string, subject: string) => `danlu.draft.${person}.${subject}`;

export function readDraft(person: string, subject: string): Draft | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(person, subject)) ?? 'null');
    return isDraft(found) ? found : null;
  } catch {
    return null;
  }
}

export function saveDraft(person: string, subject: string, text: string, now = Date.now()): void {
  try {
    localStorage.setItem(keyOf(person, subject), JSON.stringify({ text, at: now } satisfies Draft));
  } catch {
    // Where storage is refused or full, the text lasts as long as the page.
  }
}

export function dropDraft(person: string, subject: string): void {
  try {
    localStorage.removeItem(keyOf(person, subject));
  } catch {
    // Nothing was kept, then.
  }
}

/** Keeps what differs from the beginning, and offers what an earlier visit left. */
export function useDraft(person: string, subject: string, text: string, initial: string): { offered: Draft | null; settle: () => void; drop: () => void } {
  const [offered, setOffered] = useState(() => {
    const left = readDraft(person, subject);
    return left && left.text !== initial ? left : null;
  });
  useEffect(() => {
    if (text !== initial) saveDraft(person, subject, text);
  }, [person, subject, text, initial]);
  return {
    offered: offered && offered.text !== text ? offered : null,
    settle: () => setOffered(null),
    drop: () => {
      setOffered(null);
      dropDraft(person, subject);
    },
  };
}

function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && typeof (value as Draft).text === 'string' && typeof (value as Draft).at === 'number';
}
