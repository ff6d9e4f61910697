/** All features behind the sign-in, in the order of the navigation. */
import audit from './audit/manifest';
import clusters from './clusters/manifest';
import flavors from './flavors/manifest';
import groups from './groups/manifest';
import job from './job/manifest';
import jobs from './jobs/manifest';
import nodes from './nodes/manifest';
import overview from './overview/manifest';
import panel from './panel/manifest';
import pools from './pools/manifest';
import priorities from './priorities/manifest';
import profile from './profile/manifest';
import projects from './projects/manifest';
import queue from './queue/manifest';
import quotas from './quotas/manifest';
import requests from './requests/manifest';
import scores from './scores/manifest';
import submit from './submit/manifest';
import users from './users/manifest';

export const FEATURES = [
  overview,
  panel,
  jobs,
  job,
  submit,
  queue,
  scores,
  nodes,
  clusters,
  projects,
  requests,
  users,
  groups,
  flavors,
  pools,
  quotas,
  priorities,
  audit,
  profile,
] as const;
