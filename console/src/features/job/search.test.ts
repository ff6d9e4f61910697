import { describe, expect, it } from 'vitest';
import { parseSearch } from '@/app/search';
import { jobSearch } from './search';

const read = (query: string) =>
  Object.fromEntries(Object.entries(jobSearch(parseSearch(query))).filter(([, value]) => value !== undefined));

describe('the address of a job page', () => {
  it('holds all that is worth sharing', () => {
    expect(read('?tab=logs&task=worker-0&beside=worker-1&beside=worker-2&attempt=2&find=loss&line=4096.3&times=clock&wrap=on')).toEqual({
      tab: 'logs',
      task: 'worker-0',
      beside: ['worker-1', 'worker-2'],
      attempt: 2,
      find: 'loss',
      line: '4096.3',
      times: 'clock',
      wrap: 'on',
    });
    expect(read('?tab=plots&window=6h&plots=each')).toEqual({ tab: 'plots', window: '6h', plots: 'each' });
    expect(read('?tab=metrics&metric=loss&metric=val_loss&charts=related&tasks=all&axis=time&scale=log&smooth=60')).toEqual({
      tab: 'metrics',
      metric: ['loss', 'val_loss'],
      charts: 'related',
      tasks: 'all',
      axis: 'time',
      scale: 'log',
      smooth: 60,
    });
    expect(read('?tab=events&about=people&compare=on')).toEqual({ tab: 'events', about: 'people', compare: 'on' });
  });

  it('forgets what makes no sense', () => {
    expect(read('?tab=levitate&attempt=-1&line=end&times=never&window=1y&about=cats&charts=3d&axis=space&smooth=100')).toEqual({});
  });

  it('stays the same when it is read again', () => {
    const once = jobSearch(parseSearch('?tab=metrics&attempt=2&smooth=60&metric=loss'));
    expect(jobSearch({ ...once })).toEqual(once);
  });

  it('shows no more than four logs, each once', () => {
    expect(read('?beside=a&beside=b&beside=a&beside=c&beside=d')).toEqual({ beside: ['a', 'b', 'c'] });
  });
});
