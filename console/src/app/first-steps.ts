/** First steps that leave no trace elsewhere are remembered as taken among the dismissed hints. */
import { useEffect } from 'react';
import { useChangePreferences, usePreferences } from './preferences';

/** What `preferences.dismissed` holds once the whole list of them is put away. */
export const STEPS_DISMISSED = 'first-steps';

export const takenMark = (id: string): string => `${STEPS_DISMISSED}.${id}`;

/** For the page on which a step is taken, however one came there; `taken` is whether it was. */
export function useStepTaken(id: string, taken: boolean): void {
  const dismissed = usePreferences()?.dismissed;
  const change = useChangePreferences();
  const news = taken && dismissed !== undefined && !dismissed.includes(STEPS_DISMISSED) && !dismissed.includes(takenMark(id));
  useEffect(() => {
    if (news) change((kept) => ({ dismissed: [...new Set([...kept.dismissed, takenMark(id)])] }));
  }, [news, change, id]);
}
