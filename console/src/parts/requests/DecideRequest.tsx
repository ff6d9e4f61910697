/** Saying yes or no to a request, with an answer that the asker reads. */
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { userKeys } from '@/api/people';
import { approveRequest, refuseRequest, requestKeys } from '@/api/requests';
import type { AccessRequest } from '@/api/requests';
import { ruleKeys } from '@/api/rules/keys';
import { MEMBER_ROLES } from '@/api/rules/projects';
import type { MemberRole } from '@/api/rules/projects';
import type { AskedAmounts } from '@/api/rules/quotas';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { MEMBER_WORDS } from '../people/words';
import { amountsOf, cellsOf, modelsIn } from '../quotas/grid';
import type { Cells } from '../quotas/grid';
import { QuotaGrid } from '../quotas/QuotaGrid';
import { Asked } from './Asked';

/** What is wrong with an amount is told at its cell, unless it is told of a whole class. */
const TOLD = /^(answer|role|life)(\.|$)|^amounts\.[^.]+\./;

interface Props {
  request: AccessRequest;
  approve: boolean;
  onClose: () => void;
}

export default function DecideRequest({ request: { id, kind, user, subject, asked }, approve, onClose }: Props) {
  const t = useT();
  const [answer, setAnswer] = useState('');
  const [role, setRole] = useState<MemberRole>('member');
  const [life, setLife] = useState(asked?.life ?? '');
  const before = useMemo(() => cellsOf(asked?.amounts ?? {}), [asked]);
  const [cells, setCells] = useState<Cells>(before);
  /** What is not as it was asked for. */
  const otherTerms = () => {
    const amounts = amountsOf(cells) as AskedAmounts;
    return {
      ...(JSON.stringify(amounts) !== JSON.stringify(amountsOf(before)) && { amounts }),
      ...(life.trim() !== asked?.life && { life: life.trim() }),
    };
  };
  const decide = useSave({
    save: () => {
      if (!approve) return refuseRequest(id, answer.trim());
      return approveRequest(id, { answer: answer.trim(), ...(kind === 'join' ? { role } : otherTerms()) });
    },
    close: onClose,
    said: t(approve ? 'requests.approvedOne' : 'requests.refusedOne', { user }),
    invalidate: [requestKeys.all, ruleKeys.all, userKeys.all],
    fields: TOLD,
  });
  const { mistakes } = decide;
  const what = kind === 'join' ? t('requests.toJoin', { user, project: subject }) : t('requests.toHaveMore', { user });
  return (
    <FormDialog
      title={t(approve ? 'requests.approveTitle' : 'requests.refuseTitle')}
      action={t(approve ? 'requests.approve' : 'requests.refuse')}
      danger={!approve}
      busy={decide.isPending}
      error={decide.untold}
      disabled={approve ? kind === 'quota' && Object.keys(amountsOf(cells)).length === 0 : answer.trim() === ''}
      size={approve && kind === 'quota' ? 760 : 440}
      onSubmit={() => decide.mutate()}
      onClose={onClose}
    >
      <p>{what}</p>
      {asked && <Asked asked={asked} />}
      {approve && kind === 'join' && (
        <NativeSelect
          label={t('projects.as')}
          error={mistakes.role}
          data={MEMBER_ROLES.map((value) => ({ value, label: t(MEMBER_WORDS[value]) }))}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as MemberRole)}
        />
      )}
      {approve && kind === 'quota' && asked && (
        <QuotaGrid label={t('requests.amounts')} cells={cells} mistakes={mistakes} models={modelsIn(asked.amounts)} onChange={setCells} />
      )}
      {approve && kind === 'quota' && (
        <TextInput
          label={t('requests.howLong')}
          description={t('requests.howLongHint')}
          error={mistakes.life}
          value={life}
          onChange={(event) => setLife(event.currentTarget.value)}
        />
      )}
      <Textarea
        data-autofocus
        label={t(approve ? 'requests.answerMaybe' : 'requests.answer')}
        description={t('requests.answerHint', { user })}
        rows={3}
        maxLength={1000}
        error={mistakes.answer}
        value={answer}
        onChange={(event) => setAnswer(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
