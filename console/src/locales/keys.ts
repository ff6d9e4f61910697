/** The catalogs that no single feature owns; a feature names its own in its manifest. At run time each is gathered from its folder. */
import type app from './en/app.json';
import type frameworks from './en/composing/frameworks.json';
import type inputs from './en/composing/inputs.json';
import type keeping from './en/composing/outputs.json';
import type mounts from './en/composing/mounts.json';
import type packages from './en/composing/packages.json';
import type files from './en/data/files.json';
import type sharing from './en/data/sharing.json';
import type people from './en/governing/people.json';
import type lists from './en/lists.json';
import type palette from './en/palette.json';
import type queue from './en/queue.json';
import type signIn from './en/sign-in.json';
import type outputs from './en/training/outputs.json';
import type training from './en/training/training.json';

export interface SharedCatalogs {
  app: typeof app;
  frameworks: typeof frameworks;
  files: typeof files;
  inputs: typeof inputs;
  keeping: typeof keeping;
  mounts: typeof mounts;
  outputs: typeof outputs;
  packages: typeof packages;
  people: typeof people;
  lists: typeof lists;
  palette: typeof palette;
  queued: typeof queue;
  sharing: typeof sharing;
  signIn: typeof signIn;
  training: typeof training;
}
