/** What administrators do with nodes: one on its page, or all that are chosen in the table. */
import { Button } from '@mantine/core';
import type { Node } from '@/api/nodes';
import type { Outcome } from '@/api/types';
import type { MessageKey } from '@/app/i18n';
import { listed, sentence, useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { useMayEverywhere } from '@/app/session';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { errorText } from '@/ui/page/States';
import { inService } from '../capacity';
import { useCordon } from './useCordon';
import { useNodeDialogs } from './useNodeDialogs';
import type { NodeAct } from './useNodeDialogs';

const LOOKS: Record<NodeAct, { icon: IconName; label: MessageKey }> = {
  cordon: { icon: 'cordoned', label: 'nodes.cordon' },
  drain: { icon: 'drain', label: 'nodes.drain' },
  move: { icon: 'move', label: 'nodes.move' },
  maintain: { icon: 'calendar', label: 'maintenance.plan' },
};

/** `onDone` is called when something was done. */
export function NodeActions({ nodes, onDone = nothing }: { nodes: readonly Node[]; onDone?: () => void }) {
  const t = useT();
  const may = useMayEverywhere('node:write');
  const { ask, dialogs } = useNodeDialogs(onDone);
  const cordoned = nodes.filter(({ state }) => state === 'cordoned');
  const open = nodes.filter(inService);
  const uncordon = useCordon(cordoned, onDone);
  if (!may) return null;
  const taken = (outcomes: Outcome[]) => {
    for (const { name, error, text } of outcomes.filter(({ ok }) => !ok))
      notify({ bad: true, title: t('nodes.cordonFailed', { name }), message: text ? sentence(text) : (error ?? '') });
  };
  const failed = (error: unknown) =>
    notify({
      bad: true,
      title: t('nodes.cordonFailed', { name: listed(cordoned.map(({ name }) => name)) }),
      message: errorText(error, t),
    });
  const button = (act: NodeAct, some: readonly Node[]) =>
    some.length > 0 && (
      <Button variant="default" leftSection={<Icon name={LOOKS[act].icon} />} onClick={() => ask(act, some)}>
        {t(LOOKS[act].label)}
      </Button>
    );
  return (
    <>
      {cordoned.length > 0 && (
        <Button
          variant="default"
          leftSection={<Icon name="play" />}
          loading={uncordon.isPending}
          onClick={() => uncordon.mutate({ cordoned: false }, { onSuccess: taken, onError: failed })}
        >
          {t('nodes.uncordon')}
        </Button>
      )}
      {button('cordon', open)}
      {button('drain', nodes)}
      {button('move', nodes)}
      {button('maintain', nodes)}
      {dialogs}
    </>
  );
}

const nothing = () => undefined;
