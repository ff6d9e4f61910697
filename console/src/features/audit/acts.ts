/** What the audit log tells of acts, in words: what was done, and from where. */
import type { AuditEntry } from '@/api/audit';
import type { MessageKey, Translate } from '@/app/i18n';

export const ACT_WORDS: Record<string, MessageKey> = {
  added: 'act.added',
  created: 'act.created',
  edited: 'act.edited',
  removed: 'act.removed',
  deleted: 'act.deleted',
  invited: 'act.invited',
  reset: 'act.reset',
  disabled: 'act.disabled',
  enabled: 'act.enabled',
  signed_in: 'act.signedIn',
  signed_out: 'act.signedOut',
  sign_in_failed: 'act.signInFailed',
  password_set: 'act.passwordSet',
  token_made: 'act.tokenMade',
  token_revoked: 'act.tokenRevoked',
  key_added: 'act.keyAdded',
  key_removed: 'act.keyRemoved',
  joined: 'act.joined',
  left: 'act.left',
  member_set: 'act.memberSet',
  request_approved: 'act.requestApproved',
  request_refused: 'act.requestRefused',
  request_reopened: 'act.requestReopened',
  cordoned: 'act.cordoned',
  put_aside: 'act.putAside',
  uncordoned: 'act.uncordoned',
  drained: 'act.drained',
  moved: 'act.moved',
  pinned: 'act.pinned',
  unpinned: 'act.unpinned',
  started: 'act.started',
  restarted: 'act.restarted',
  replaced: 'act.replaced',
  stopped: 'act.stopped',
  shared: 'act.shared',
  trashed: 'act.trashed',
  restored: 'act.restored',
  raised: 'act.raised',
  exec: 'act.exec',
  read: 'act.read',
  exported: 'act.exported',
};

const MEANS_WORDS: Record<string, MessageKey> = {
  session: 'means.session',
  password: 'means.password',
  link: 'means.link',
  token: 'means.token',
  provider: 'means.provider',
};

/** The address, and how they proved who they are: `session`, `token NAME`, `provider NAME`. */
export function whence({ address, means }: Pick<AuditEntry, 'address' | 'means'>, t: Translate): string {
  const [kind = '', ...name] = means.split(' ');
  const word = MEANS_WORDS[kind];
  return [address, word ? t(word, { name: name.join(' ') }) : means].filter(Boolean).join(' · ');
}
