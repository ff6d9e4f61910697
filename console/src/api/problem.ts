/** What went wrong with a request, in one shape: the server's problem+json, or our own words for a network failure. */
import type { Finding, Shortfall, Text } from './types';

export interface FieldError {
  loc: (string | number)[];
  code: string;
  message: string;
  value?: unknown;
  bound?: unknown;
  hint?: string | null;
  /** The same in both languages; what the browser finds itself has none. */
  text?: Text;
  hint_text?: Text | null;
  /** What the sentence was filled with. */
  params?: Record<string, unknown>;
  /** The word that was probably meant. */
  suggestion?: string | null;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string | null;
  /** The detail in both languages. */
  text?: Text;
  errors: FieldError[];
  /** What a cluster lacks. */
  findings?: Finding[];
  /** Which quotas a start would exceed. */
  shortfalls?: Shortfall[];
  /** Which administrators can help. */
  ask?: Text;
}

/** `type` of a problem that never reached the server. */
export const UNREACHABLE = 'unreachable';

export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.name = 'ApiError';
    this.problem = problem;
  }

  get status(): number {
    return this.problem.status;
  }
}

export function unreachable(): ApiError {
  return new ApiError({ type: UNREACHABLE, title: UNREACHABLE, status: 0, detail: null, errors: [] });
}

/** Reads the body of a refused request; a body that is no problem document still gives a usable problem. */
export function problemFrom(body: unknown, response: Pick<Response, 'status' | 'statusText'>): Problem {
  const fields = isRecord(body) ? body : {};
  return {
    type: text(fields.type) ?? 'unknown',
    title: text(fields.title) ?? (response.statusText || `HTTP ${response.status}`),
    status: response.status,
    detail: text(fields.detail),
    ...(isRecord(fields.text) && { text: fields.text as unknown as Text }),
    errors: Array.isArray(fields.errors) ? fields.errors.filter(isFieldError) : [],
    ...(Array.isArray(fields.findings) && { findings: fields.findings as Finding[] }),
    ...(Array.isArray(fields.shortfalls) && { shortfalls: fields.shortfalls as Shortfall[] }),
    ...(isRecord(fields.ask) && { ask: fields.ask as unknown as Text }),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && Array.isArray(value.loc) && typeof value.message === 'string';
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
