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
export type SignInProvider = Schemas['SignInProvider'];
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
export type Saved = Schemas['Saved'];
export type Remedy = Schemas['Remedy'];
export type JobMetrics = Schemas['JobMetrics'];
export type MetricSeries = Schemas['MetricSeries'];
/** Where one task stood when it was looked at. */
export type TaskStacks = Schemas['TaskStacks'];
export type Resources = Schemas['Resources'];
export type ModelAmount = Schemas['ModelAmount'];
export type Amount = Schemas['Amount'];
export type Preferences = Schemas['Preferences'];
export type SavedView = Schemas['SavedView'];
export type OwnSession = Schemas['OwnSession'];
export type Project = Schemas['Project'];
export type ProjectEdit = Schemas['ProjectEdit'];
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
export type JobClass = Flavor['classes'][number];
export type FlavorCreate = Schemas['FlavorCreate'];
export type FlavorEdit = Schemas['FlavorEdit'];
export type PoolCreate = Schemas['PoolCreate'];
export type PoolEdit = Schemas['PoolEdit'];
export type PriorityCreate = Schemas['PriorityCreate'];
export type PriorityEdit = Schemas['PriorityEdit'];
export type LimitCreate = Schemas['LimitCreate'];
export type LimitEdit = Schemas['LimitEdit'];
export type Offer = Schemas['FlavorOffer'];
export type FlavorProposal = Schemas['FlavorProposal'];
export type FlavorDeleted = Schemas['FlavorDeleted'];
export type FlavorRecommendation = Schemas['FlavorRecommendation'];
export type Framework = Schemas['Framework'];
export type Strategy = Schemas['FrameworkStrategy'];
/** A role that a strategy knows, with its bounds. */
export type RoleShape = Schemas['FrameworkRole'];
export type FrameworkPropose = Schemas['ProposalAsked'];
export type FrameworkProposal = Schemas['FrameworkProposal'];
export type ProposedRole = Schemas['ProposedRole'];
/** What could be better about a job file that is right. */
export type Advice = Schemas['Advice'];
/** A job to begin with, of the server's. */
export type ServedExample = Schemas['Example'];
/** A job that something would touch. */
export type Affected = Schemas['ConcernedJob'];
export type MoveReport = Schemas['NodeMoved'];
export type DrainReport = Schemas['NodesDrained'];
export type Maintenance = Schemas['Maintenance'];
export type MaintenanceCreate = Schemas['MaintenanceCreate'];
export type MaintenanceEdit = Schemas['MaintenanceEdit'];
export type MaintenancePreview = Schemas['MaintenancePreview'];
export type Quota = Schemas['Quota'];
export type QuotaPage = Schemas['QuotaList'];
export type QuotaEdit = Schemas['QuotaEdit'];
export type QuotaBulk = Schemas['QuotaBulk'];
/** By class, or `all`: how much of what; null is no bound. */
export type QuotaAmounts = Quota['amounts'];
/** What one asks for beyond one's quota. */
export type AskedAmounts = NonNullable<Schemas['Asking']['amounts']>;
export type QuotaUse = Schemas['QuotaStanding'];
export type QuotaLine = Schemas['QuotaRow'];
export type Shortfall = Schemas['Shortfall'];
export type Trends = Schemas['Trend'];
export type TrendLine = Schemas['TrendLine'];
export type ClassUse = Schemas['ClassResources'];
export type AuditEntry = Schemas['AuditEntry'];
export type AuditPage = Schemas['AuditList'];
export type AuditReport = Schemas['AuditVerdict'];

export type UserRole = User['role'];
export type UserDetail = Schemas['UserDetail'];
export type UserPage = Schemas['UserList'];
export type SignInLink = Schemas['SignInAddress'];
export type Invitation = Schemas['Invited'];
export type Outcome = Schemas['BulkOutcome'];
export type Group = Schemas['Group'];
export type GroupDetail = Schemas['GroupDetail'];
export type RosterReport = Schemas['MembersChanged'];
export type Me = Schemas['Me'];
export type SshKey = Schemas['SshKey'];
export type Member = Schemas['Member'];
export type MemberRole = Member['role'];
export type Standing = Schemas['Standing'];
export type ShareAmount = Schemas['ShareAmount'];
export type AccessRequest = Schemas['PersonalRequest'];
export type RequestPage = Schemas['RequestList'];
export type RequestState = AccessRequest['state'];

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
