/** Every key of the catalogs, for the compiler; at run time each catalog is gathered from its folder. */
import type app from './en/app.json';
import type clusters from './en/clusters.json';
import type frameworks from './en/composing/frameworks.json';
import type flavors from './en/flavors.json';
import type audit from './en/governing/audit.json';
import type groups from './en/governing/groups.json';
import type panel from './en/governing/panel.json';
import type people from './en/governing/people.json';
import type priorities from './en/governing/priorities.json';
import type projects from './en/governing/projects.json';
import type requests from './en/governing/requests.json';
import type job from './en/job.json';
import type jobs from './en/jobs.json';
import type lists from './en/lists.json';
import type nodes from './en/nodes.json';
import type overview from './en/overview.json';
import type palette from './en/palette.json';
import type pools from './en/pools.json';
import type profile from './en/profile.json';
import type queue from './en/queue.json';
import type quotas from './en/quotas.json';
import type signIn from './en/sign-in.json';
import type submit from './en/submit.json';
import type training from './en/training/training.json';

export type MessageKey =
  | keyof typeof app
  | keyof typeof clusters
  | keyof typeof frameworks
  | keyof typeof flavors
  | keyof typeof audit
  | keyof typeof groups
  | keyof typeof panel
  | keyof typeof people
  | keyof typeof priorities
  | keyof typeof projects
  | keyof typeof requests
  | keyof typeof job
  | keyof typeof jobs
  | keyof typeof lists
  | keyof typeof nodes
  | keyof typeof overview
  | keyof typeof palette
  | keyof typeof pools
  | keyof typeof profile
  | keyof typeof queue
  | keyof typeof quotas
  | keyof typeof signIn
  | keyof typeof submit
  | keyof typeof training;
