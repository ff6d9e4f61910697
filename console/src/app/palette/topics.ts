/** What is to be found at the places, in both languages; not said in the manifests, which every first visit fetches. */
import type { Place } from '../places';

export const TOPICS: Partial<Record<Place['to'], string>> = {
  '/': 'overview home',
  '/panel': 'metrics usage trends 指标 用量 趋势',
  '/jobs': 'metrics logs 指标 日志',
  '/datasets': 'data versions snapshot lineage 数据 版本 快照 血缘',
  '/volumes': 'files data personal archive 文件',
  '/nodes': 'machines gpus maintenance drain cordon 机器 维护',
  '/clusters': 'kubernetes settings 设置',
  '/projects': 'members budgets 成员 预算',
  '/users': 'people accounts 人员 账号',
  '/groups': 'permissions 权限',
  '/pools': 'maintenance 维护',
  '/bounds': 'quotas limits caps budgets 上限 预算',
  '/priorities': 'priority classes limits 上限',
  '/system': 'metrics security weaknesses 指标 安全',
  '/profile': 'settings preferences password tokens ssh keys language theme 设置 密码 令牌 密钥',
  '/environments': 'packages 软件包',
};
