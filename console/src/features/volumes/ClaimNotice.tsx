/** What there is to be said of the claim that Danlu makes for a volume in a cluster; nothing where all is well. */
import type { VolumeClaim } from '@/api/volumes';
import { useSentence, useT } from '@/app/i18n';
import { Notice } from '@/ui/page/Panel';

const PASSING = new Set(['making', 'first_job', 'provisioning', 'growing']);
const EVERY_MS = 5000;

/** How often to look again: while something is to come of itself. */
export const lookAgain = (volume?: { made: VolumeClaim | null }) => (PASSING.has(volume?.made?.note ?? '') ? EVERY_MS : false);

const TITLES = { pending: 'volumes.claimPending', bound: 'volumes.claimBound', lost: 'volumes.claimLost' } as const;

export function ClaimNotice({ claim: { state, note, text } }: { claim: VolumeClaim }) {
  const t = useT();
  const said = useSentence();
  if (!note) return null;
  const passing = PASSING.has(note);
  return (
    <Notice tone={state === 'lost' ? 'red' : passing ? 'blue' : 'amber'} icon={passing ? 'info' : 'warning'} title={t(TITLES[state])}>
      {said(text)}
    </Notice>
  );
}
