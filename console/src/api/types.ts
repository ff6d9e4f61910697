/** The generated API types by their names, and those that several subjects share; each subject names its own in its file. */
import type { components } from './schema';

export type Schemas = components['schemas'];

export type Text = Schemas['Text'];
export type Reason = Schemas['Reason'];
export type Outcome = Schemas['BulkOutcome'];
export type Finding = Schemas['Finding'];
export type Shortfall = Schemas['Shortfall'];
export type DanluEvent = Schemas['Event'];
export type EventPage = Schemas['EventPage'];
/** A job that something would touch. */
export type Affected = Schemas['ConcernedJob'];
export type DrainReport = Schemas['NodesDrained'];
