/** Names for the generated API types; the only file that knows how the generator spells them. */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Text = Schemas['Text'];
export type Reason = Schemas['Reason'];
export type JobRow = Schemas['JobRow'];
export type JobDetail = Schemas['JobDetail'];
export type JobPage = Schemas['JobPage'];
export type JobState = JobRow['state'];
export type JobKind = JobRow['kind'];
export type Task = Schemas['Task'];
export type TaskState = Task['state'];
export type Attempt = Schemas['Attempt'];
export type CheckResult = Schemas['CheckResult'];
export type DanluEvent = Schemas['Event'];
export type EventPage = Schemas['EventPage'];
export type LogLine = Schemas['LogLine'];
export type LogPage = Schemas['LogPage'];
export type Node = Schemas['Node'];
export type NodeState = Node['state'];
export type NodeTask = Schemas['NodeTask'];
export type User = Schemas['User'];
export type Session = Schemas['Session'];
export type Token = Schemas['Token'];
export type TokenCreated = Schemas['TokenCreated'];
export type QueuePage = Schemas['QueuePage'];
export type QueueItem = Schemas['QueueItem'];
export type Lane = Schemas['Lane'];
export type Why = Schemas['Why'];
export type Help = Schemas['Help'];
export type Score = Schemas['Score'];
export type ModelScore = Schemas['ModelScore'];
export type LedgerRow = Schemas['LedgerRow'];
export type TaskUsage = Schemas['TaskUsage'];
export type JobUsage = Schemas['JobUsage'];
export type NodeUsage = Schemas['NodeUsage'];
/** What both have: lines over time. */
export type Usage = Pick<NodeUsage, 'times' | 'cpus' | 'memory' | 'gpus'>;
export type Resources = Schemas['Resources'];
export type ModelAmount = Schemas['ModelAmount'];
export type Amount = Schemas['Amount'];
export type Preferences = Schemas['Preferences'];
export type SavedView = Schemas['SavedView'];
export type OwnSession = Schemas['OwnSession'];
export type Project = Schemas['Project'];
export type Flavor = Schemas['Flavor'];
export type PriorityClass = Schemas['Priority'];
export type Pool = Schemas['Pool'];
export type Limit = Schemas['Limit'];
export type Cluster = Schemas['Cluster'];
export type ClusterState = Cluster['state'];
export type ClusterCheck = Schemas['ClusterCheck'];
export type ClusterCreate = Schemas['ClusterCreate'];
export type ClusterEdit = Schemas['ClusterEdit'];
export type ClusterReport = Schemas['ClusterReport'];
export type Finding = Schemas['Finding'];

/** A job file as JSON: whatever the person wrote; the server validates it. */
export type JobFile = Record<string, unknown>;

export const JOB_STATES = [
  'created',
  'queued',
  'starting',
  'running',
  'stopping',
  'completed',
  'failed',
  'stopped',
] as const satisfies readonly JobState[];

export const JOB_KINDS = ['training', 'workspace', 'service'] as const satisfies readonly JobKind[];
