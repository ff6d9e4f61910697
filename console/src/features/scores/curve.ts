/** The course of a score, worked out from the ledger as the server does it: a sum over everything held, each part fading by itself. */
import type { LedgerRow } from '@/api/queue';
import { parseTime } from '@/parts/quantities';

/** So much held from one moment to another, in milliseconds; without an end it is still held. */
export interface Charge {
  amount: number;
  began: number;
  ended: number | null;
}

export interface Course {
  /** When the score was asked for. */
  now: number;
  score: number;
  held: number;
  /** T: after so long 37 % of what was given back is left. */
  scoreTime: number;
  charges: Charge[];
  /** What the score holds beyond the charges: of rows further back than those loaded. It only fades. */
  rest: number;
  /** From when on charges and rest tell everything. */
  knownFrom: number;
  /** All rows are there and do not add up to the score: T was another once, and what was settled by then went on as it was. */
  differs: boolean;
}

export function chargeOf({ amount, began, ended }: LedgerRow): Charge {
  return { amount, began: Date.parse(began), ended: ended === null ? null : Date.parse(ended) };
}

/** What a charge has added by a moment: amount · (1 − e^−held/T) · e^−since/T. */
export function added({ amount, began, ended }: Charge, at: number, scoreTime: number): number {
  const until = ended === null ? at : Math.min(ended, at);
  if (until <= began) return 0;
  return amount * -Math.expm1(-(until - began) / scoreTime) * fading(at - until, scoreTime);
}

/** What is left after a while. */
export function fading(passed: number, scoreTime: number): number {
  return Math.exp(-passed / scoreTime);
}

/** Score and ledger are asked for one after the other; so much may change meanwhile. */
const BETWEEN_ANSWERS = 0.02;

interface Loaded {
  rows: readonly LedgerRow[];
  /** Whether older rows exist. */
  more: boolean;
}

/** The course from what the server says of the score and the rows of its ledger, the latest first. */
export function courseOf(now: number, { score, held }: { score: number; held: number }, scoreTime: number, { rows, more }: Loaded): Course {
  const charges = rows.map(chargeOf);
  const rest = score - rows.reduce((sum, row) => sum + row.adds, 0);
  const last = charges.at(-1);
  // Unloaded rows ended before the last one loaded did.
  const knownFrom = more && last ? (last.ended ?? now) : Number.NEGATIVE_INFINITY;
  return { now, score, held, scoreTime, charges, rest: more ? rest : 0, knownFrom, differs: !more && Math.abs(rest) > BETWEEN_ANSWERS };
}

/** The score at a moment that has passed. */
export function scoreAt({ now, charges, rest, scoreTime }: Course, at: number): number {
  return charges.reduce((sum, charge) => sum + added(charge, at, scoreTime), rest * fading(at - now, scoreTime));
}

/** The score later on, if from now on so much is held all the time: it moves towards that. */
export function scoreLater({ now, score, scoreTime }: Course, at: number, held: number): number {
  return held + (score - held) * fading(at - now, scoreTime);
}

/** After how many times T the marks stand. */
export const MARKS = [1, 2, 4] as const;

export interface Lines {
  times: number[];
  past: (number | null)[];
  unused: (number | null)[];
  kept: (number | null)[];
}

const PAST_STEPS = 240;
const FUTURE_STEPS = 120;

/** Four times T back, as far as it is known, and four times T ahead. */
export function linesOf(course: Course): Lines {
  const { now, held, scoreTime, charges, knownFrom } = course;
  const span = 4 * scoreTime;
  const from = Math.max(now - span, knownFrom);
  // Where something was taken or given back the line has a corner.
  const corners = charges.flatMap(({ began, ended }) => [began, ended ?? now]).filter((at) => at > from && at < now);
  const before = [...new Set([...steps(from, now, PAST_STEPS), ...corners])].sort((a, b) => a - b);
  const after = steps(now, now + span, FUTURE_STEPS).slice(1);
  const later = (amount: number) => [
    ...before.map((at) => (at === now ? course.score : null)),
    ...after.map((at) => scoreLater(course, at, amount)),
  ];
  return {
    times: [...before, ...after],
    past: [...before.map((at) => scoreAt(course, at)), ...after.map(() => null)],
    unused: later(0),
    kept: later(held),
  };
}

function steps(from: number, to: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, step) => (step === count ? to : from + ((to - from) * step) / count));
}

/** A duration as the server writes it: "6h", "1h30m". */
export const millisOf = (text: string): number => parseTime(text) ?? 0;
