/** People in words: their roles, their state, what they are in a project, what they may do. */
import type { User, UserRole, UserState } from '@/api/people';
import type { MemberRole } from '@/api/rules/projects';
import type { MessageKey } from '@/app/i18n';

export const ROLE_WORDS: Record<UserRole, MessageKey> = {
  administrator: 'role.administrator',
  operator: 'role.operator',
  engineer: 'role.engineer',
  viewer: 'role.viewer',
};

export const ROLE_HINTS: Record<UserRole, MessageKey> = {
  administrator: 'role.administratorHint',
  operator: 'role.operatorHint',
  engineer: 'role.engineerHint',
  viewer: 'role.viewerHint',
};

export const MEMBER_WORDS: Record<MemberRole, MessageKey> = {
  creator: 'member.creator',
  member: 'member.member',
  viewer: 'member.viewer',
};

export const STATE_WORDS: Record<UserState, MessageKey> = {
  active: 'people.active',
  invited: 'people.invited',
  disabled: 'people.disabled',
};

export const SIGN_IN_WORDS: Record<User['sign_in'], MessageKey> = {
  password: 'people.byPassword',
  provider: 'people.byProvider',
  invited: 'people.byLink',
};

export function stateOf({ disabled, sign_in }: Pick<User, 'disabled' | 'sign_in'>): UserState {
  if (disabled) return 'disabled';
  return sign_in === 'invited' ? 'invited' : 'active';
}
