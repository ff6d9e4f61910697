/** A state: icon, word and colour together, never colour alone. */
import type { ClusterState } from '@/api/clusters';
import type { JobState, TaskState } from '@/api/jobs';
import type { NodeState } from '@/api/nodes';
import type { UserState } from '@/api/people';
import type { RequestState } from '@/api/requests';
import type { TransferState } from '@/api/transfers';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import style from './Status.module.css';

export type Tone = 'grey' | 'violet' | 'blue' | 'green' | 'red' | 'amber';

interface Look {
  icon: IconName;
  tone: Tone;
  word: MessageKey;
  moving?: boolean;
}

const JOB: Record<JobState, Look> = {
  created: { icon: 'created', tone: 'grey', word: 'state.created' },
  queued: { icon: 'queued', tone: 'grey', word: 'state.queued' },
  starting: { icon: 'starting', tone: 'violet', word: 'state.starting', moving: true },
  running: { icon: 'running', tone: 'blue', word: 'state.running', moving: true },
  stopping: { icon: 'stopping', tone: 'amber', word: 'state.stopping' },
  completed: { icon: 'done', tone: 'green', word: 'state.completed' },
  failed: { icon: 'failed', tone: 'red', word: 'state.failed' },
  stopped: { icon: 'stopped', tone: 'grey', word: 'state.stopped' },
};

const TASK: Record<TaskState, Look> = {
  pending: { icon: 'queued', tone: 'grey', word: 'state.pending' },
  starting: JOB.starting,
  running: JOB.running,
  succeeded: { icon: 'done', tone: 'green', word: 'state.succeeded' },
  failed: JOB.failed,
  lost: { icon: 'lost', tone: 'red', word: 'state.lost' },
  stopped: JOB.stopped,
};

const NODE: Record<NodeState, Look> = {
  ready: { icon: 'done', tone: 'green', word: 'node.ready' },
  occupied: { icon: 'running', tone: 'blue', word: 'node.occupied' },
  cordoned: { icon: 'cordoned', tone: 'amber', word: 'node.cordoned' },
  unreachable: { icon: 'lost', tone: 'red', word: 'node.unreachable' },
  off: { icon: 'stopped', tone: 'grey', word: 'node.off' },
};

const CLUSTER: Record<ClusterState, Look> = {
  ready: { icon: 'done', tone: 'green', word: 'clusters.ready' },
  unreachable: { icon: 'lost', tone: 'red', word: 'clusters.unreachable' },
  empty: { icon: 'created', tone: 'grey', word: 'clusters.empty' },
  no_credentials: { icon: 'key', tone: 'amber', word: 'clusters.noCredentials' },
};

const USER: Record<UserState, Look> = {
  active: { icon: 'done', tone: 'green', word: 'people.active' },
  invited: { icon: 'link', tone: 'violet', word: 'people.invited' },
  disabled: { icon: 'cordoned', tone: 'grey', word: 'people.disabled' },
};

const REQUEST: Record<RequestState, Look> = {
  open: { icon: 'queued', tone: 'amber', word: 'requests.stateOpen' },
  approved: { icon: 'done', tone: 'green', word: 'requests.approved' },
  refused: { icon: 'failed', tone: 'red', word: 'requests.refused' },
  withdrawn: { icon: 'stopped', tone: 'grey', word: 'requests.withdrawn' },
};

const TRANSFER: Record<TransferState, Look> = {
  queued: JOB.queued,
  running: JOB.running,
  completed: JOB.completed,
  failed: JOB.failed,
  cancelled: { icon: 'stopped', tone: 'grey', word: 'state.cancelled' },
};

/** A job pushed out by a more urgent one waits like any other, but says so. */
const PREEMPTED: Look = { icon: 'preempted', tone: 'amber', word: 'state.preempted' };

export function jobTone(state: JobState): Tone {
  return JOB[state].tone;
}

export function JobStatus({ state, reason, pill }: { state: JobState; reason?: string | undefined; pill?: boolean }) {
  const preempted = state === 'queued' && reason === 'preempted';
  return <Status look={preempted ? PREEMPTED : JOB[state]} pill={pill} />;
}

export function TaskStatus({ state }: { state: TaskState }) {
  return <Status look={TASK[state]} />;
}

export function NodeStatus({ state }: { state: NodeState }) {
  return <Status look={NODE[state]} />;
}

export function ClusterStatus({ state }: { state: ClusterState }) {
  return <Status look={CLUSTER[state]} />;
}

export function UserStatus({ state }: { state: UserState }) {
  return <Status look={USER[state]} />;
}

export function RequestStatus({ state }: { state: RequestState }) {
  return <Status look={REQUEST[state]} />;
}

export function TransferStatus({ state }: { state: TransferState }) {
  return <Status look={TRANSFER[state]} />;
}

function Status({ look, pill }: { look: Look; pill?: boolean | undefined }) {
  const t = useT();
  return (
    <span className={pill ? `${style.status} ${style.pill}` : style.status} data-tone={look.tone}>
      <span className={look.moving ? style.moving : style.icon}>
        <Icon name={look.icon} size={14} />
      </span>
      {t(look.word)}
    </span>
  );
}
