/** The English words, one file for each part of the console. */
import app from './app.json';
import clusters from './clusters.json';
import job from './job.json';
import jobs from './jobs.json';
import nodes from './nodes.json';
import overview from './overview.json';
import palette from './palette.json';
import profile from './profile.json';
import queue from './queue.json';
import signIn from './sign-in.json';
import submit from './submit.json';

export default { ...app, ...clusters, ...job, ...jobs, ...nodes, ...overview, ...palette, ...profile, ...queue, ...signIn, ...submit };
