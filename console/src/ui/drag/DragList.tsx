/**
 * Lets rows be carried to other places, by pointer or by keys; heavy, so pages load it lazily. What moves, and where to, is the page's
 * affair.
 */
import { AutoScroller, Cursor, Feedback, PreventSelection } from '@dnd-kit/dom';
import { DragDropProvider, DragOverlay, PointerSensor, useDraggable } from '@dnd-kit/react';
import type { KeyboardEvent, ReactNode } from 'react';
import { createContext, useContext, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '@/ui/icons';
import { keyStep, nearest } from './drag-steps';
import style from './DragList.module.css';

/** A row in somebody's hand: the places where it may land, in order, and those it came from and is over. */
export interface Held {
  id: string;
  slots: readonly string[];
  from: number;
  to: number;
  by: 'pointer' | 'keys';
}

/** What is said aloud; a page that moves things must tell those who do not see them. */
export interface DragWords {
  instructions: string;
  lifted: (held: Held) => string;
  over: (held: Held) => string;
  dropped: (held: Held) => string;
  cancelled: (held: Held) => string;
}

interface Props {
  held: Held | null;
  onHeld: (held: Held | null) => void;
  /** Where a row may land; rows with fewer than two places stay. Elements with `data-slot` are the places. */
  slotsOf: (id: string) => readonly string[];
  onDrop: (held: Held) => void;
  words: DragWords;
  /** What follows the pointer. */
  preview: (id: string) => ReactNode;
  children: ReactNode;
}

interface Hand {
  held: Held | null;
  described: string;
  lift: (id: string, by: Held['by']) => void;
  carry: (to: number) => void;
  drop: () => void;
  cancel: () => void;
}

const HandContext = createContext<Hand | null>(null);
const PLUGINS = [AutoScroller, Cursor, Feedback, PreventSelection];
const SENSORS = [PointerSensor];

export function DragList({ held, onHeld, slotsOf, onDrop, words, preview, children }: Props) {
  const described = useId();
  const [said, setSaid] = useState('');
  // Moves may come faster than the page is drawn again.
  const latest = useRef(held);
  latest.current = held;

  const change = (next: Held | null) => {
    latest.current = next;
    onHeld(next);
  };
  const hand: Hand = {
    held,
    described,
    lift: (id, by) => {
      const slots = slotsOf(id);
      const from = slots.indexOf(id);
      if (from === -1) return;
      const next = { id, slots, from, to: from, by };
      setSaid(words.lifted(next));
      change(next);
    },
    carry: (to) => {
      const now = latest.current;
      if (!now || to === now.to) return;
      const next = { ...now, to };
      setSaid(words.over(next));
      change(next);
    },
    drop: () => {
      const now = latest.current;
      if (!now) return;
      change(null);
      setSaid(now.to === now.from ? words.cancelled(now) : words.dropped(now));
      if (now.to !== now.from) onDrop(now);
    },
    cancel: () => {
      if (latest.current) setSaid(words.cancelled(latest.current));
      change(null);
    },
  };

  return (
    <HandContext value={hand}>
      <DragDropProvider
        plugins={PLUGINS}
        sensors={SENSORS}
        onDragStart={({ operation }) => hand.lift(String(operation.source?.id), 'pointer')}
        onDragEnd={({ canceled }) => (canceled ? hand.cancel() : hand.drop())}
      >
        {children}
        <DragOverlay dropAnimation={null} className={style.overlay}>
          {(source) => preview(String(source.id))}
        </DragOverlay>
      </DragDropProvider>
      {held?.by === 'pointer' && <PointerWatch slots={held.slots} onOver={hand.carry} />}
      <div id={described} hidden>
        {words.instructions}
      </div>
      <div role="status" aria-live="assertive" className="visually-hidden">
        {said}
      </div>
    </HandContext>
  );
}

/** While something is held, the place nearest to the pointer is the one it is over; scrolling moves the places. */
function PointerWatch({ slots, onOver }: { slots: readonly string[]; onOver: (to: number) => void }) {
  const over = useRef(onOver);
  over.current = onOver;
  useEffect(() => {
    let y: number | undefined;
    const look = () => {
      if (y === undefined) return;
      const to = nearest(slots.map(centreOf), y);
      if (to !== undefined) over.current(to);
    };
    const follow = (event: PointerEvent) => {
      y = event.clientY;
      look();
    };
    addEventListener('pointermove', follow, true);
    addEventListener('scroll', look, true);
    return () => {
      removeEventListener('pointermove', follow, true);
      removeEventListener('scroll', look, true);
    };
  }, [slots]);
  return null;
}

/** The handle of a row: drag it, or press Space and use the arrows. */
export function Grip({ id, label }: { id: string; label: string }) {
  const hand = useContext(HandContext);
  const { ref } = useDraggable({ id });
  const carried = hand?.held?.id === id ? hand.held : null;
  const press = (event: KeyboardEvent) => {
    if (!hand || event.altKey) return;
    const step = keyStep(event.key, carried);
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (step === 'lift') hand.lift(id, 'keys');
    else if (step === 'drop') hand.drop();
    else if (step === 'cancel') hand.cancel();
    else {
      hand.carry(step);
      elementOf(carried?.slots[step])?.scrollIntoView?.({ block: 'nearest' });
    }
  };
  return (
    <button
      ref={ref}
      type="button"
      className={style.grip}
      aria-label={label}
      aria-describedby={hand?.described}
      aria-pressed={carried !== null}
      onKeyDown={press}
      onBlur={() => carried?.by === 'keys' && hand?.cancel()}
    >
      <Icon name="grip" />
    </button>
  );
}

function elementOf(slot: string | undefined): Element | null {
  return slot === undefined ? null : document.querySelector(`[data-slot="${CSS.escape(slot)}"]`);
}

function centreOf(slot: string): number | undefined {
  const box = elementOf(slot)?.getBoundingClientRect();
  return box && box.top + box.height / 2;
}
