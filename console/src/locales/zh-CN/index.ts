/** The Chinese words, one file for each part of the console; see `governing` for those of the administrators' pages. */
import app from './app.json';
import clusters from './clusters.json';
import flavors from './flavors.json';
import job from './job.json';
import jobs from './jobs.json';
import lists from './lists.json';
import nodes from './nodes.json';
import overview from './overview.json';
import palette from './palette.json';
import pools from './pools.json';
import profile from './profile.json';
import queue from './queue.json';
import quotas from './quotas.json';
import signIn from './sign-in.json';
import submit from './submit.json';

export default {
  ...app, ...clusters, ...flavors, ...job, ...jobs, ...lists, ...nodes, ...overview, ...palette, ...pools,
  ...profile, ...queue, ...quotas, ...signIn, ...submit,
};
