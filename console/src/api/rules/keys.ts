/** What the answers about rules (projects, flavors, quotas and the like) share: any of them may have changed. */
export const ruleKeys = {
  all: ['rules'] as const,
};
