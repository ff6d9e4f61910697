/** What was written and not sent, kept in this browser: of each visit the last text, until it is restored or discarded. */
import { useEffect, useState } from 'react';

export interface Draft {
  /** When its writing began: the visit it is of. */
  visit: number;
  text: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Older ones are let go. */
const MOST = 5;

const keyOf = (person: string, subject: string) => `danlu.draft.${person}.${subject}`;

/** The latest first. */
export function readDrafts(person: string, subject: string): Draft[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(person, subject)) ?? '[]');
    return Array.isArray(found) ? found.filter(isDraft) : [];
  } catch {
    return [];
  }
}

export function saveDraft(person: string, subject: string, draft: Draft): void {
  write(person, subject, [draft, ...others(person, subject, draft.visit)].slice(0, MOST));
}

export function dropDraft(person: string, subject: string, visit: number): void {
  write(person, subject, others(person, subject, visit));
}

const others = (person: string, subject: string, visit: number): Draft[] =>
  readDrafts(person, subject).filter((draft) => draft.visit !== visit);

function write(person: string, subject: string, drafts: Draft[]): void {
  try {
    if (drafts.length > 0) localStorage.setItem(keyOf(person, subject), JSON.stringify(drafts));
    else localStorage.removeItem(keyOf(person, subject));
  } catch {
    // Where storage is refused or full, the text lasts as long as the page.
  }
}

interface Drafts {
  /** The latest that an earlier visit left. */
  offered: Draft | null;
  /** It was restored, or is not wanted. */
  settle: () => void;
  /** What this visit wrote is sent. */
  drop: () => void;
}

/** Keeps what differs from the beginning, and offers what earlier visits left; whoever signed out leaves nothing. */
export function useDraft(person: string, subject: string, text: string, initial: string): Drafts {
  const [visit] = useState(() => Date.now());
  const [left, setLeft] = useState(() => readDrafts(person, subject).filter((draft) => draft.text !== initial));
  const offered = left[0] ?? null;
  useEffect(() => {
    if (person === '') return;
    if (text === initial) dropDraft(person, subject, visit);
    else saveDraft(person, subject, { visit, text, at: Date.now() });
  }, [person, subject, visit, text, initial]);
  return {
    offered: offered && offered.text !== text ? offered : null,
    settle: () => {
      if (offered) dropDraft(person, subject, offered.visit);
      setLeft(left.slice(1));
    },
    drop: () => dropDraft(person, subject, visit),
  };
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { visit, text, at } = value as Partial<Draft>;
  return typeof visit === 'number' && typeof text === 'string' && typeof at === 'number';
}
