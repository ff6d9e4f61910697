/** Flavors made from a node: what is left beside the system's part, divided by its GPUs. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listNodes, nodeKeys } from '@/api/nodes';
import type { Node } from '@/api/nodes';
import { createFlavor, proposeFlavors } from '@/api/rules/flavors';
import type { Flavor, FlavorProposal } from '@/api/rules/flavors';
import { ruleKeys } from '@/api/rules/keys';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { CheckList } from '@/ui/form/CheckList';
import { formatBytes, formatCount } from '@/ui/words/format';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { cardsOf, sizeWords } from './draft';

export default function Generate({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [chosenNode, setNode] = useState<string | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const nodes = useQuery({ queryKey: nodeKeys.all, queryFn: ({ signal }) => listNodes(signal) });
  const node = chosenNode ?? nodes.data?.[0]?.name;
  const preview = useQuery({
    queryKey: ['flavor-generation', node],
    queryFn: () => proposeFlavors(node!),
    enabled: node !== undefined,
    gcTime: 0,
  });
  const wanted = preview.data?.filter(({ flavor, exists }) => !exists && !left.has(flavor.name)).map(({ flavor }) => flavor) ?? [];
  const make = useSave({
    save: async () => {
      for (const { name, resources, classes, description } of wanted) {
        // oxlint-disable-next-line no-await-in-loop -- where one is refused, those after it are not made
        await createFlavor({ name, resources: { ...resources, gpu: resources.gpu ?? undefined }, classes, description });
      }
      return wanted.length;
    },
    close: onClose,
    said: (count) => t('flavors.made', { count }),
    invalidate: [ruleKeys.all],
    always: true,
  });
  return (
    <FormDialog
      title={t('flavors.generate')}
      action={t('flavors.make', { count: wanted.length })}
      busy={make.isPending}
      error={make.error}
      disabled={wanted.length === 0}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <p>{t('flavors.generateText')}</p>
      {nodes.isError && <ErrorState small error={nodes.error} retry={() => void nodes.refetch()} />}
      {nodes.data && (
        <NativeSelect
          data-autofocus
          label={t('flavors.node')}
          data={nodes.data.map((each) => ({ value: each.name, label: nodeWords(each) }))}
          value={node}
          onChange={(event) => {
            setNode(event.currentTarget.value);
            setLeft(new Set());
            make.reset();
          }}
        />
      )}
      {preview.isLoading && <Skeleton rows={4} />}
      {preview.isError && <ErrorState small error={preview.error} retry={() => void preview.refetch()} />}
      {preview.data && <Choice made={preview.data} left={left} onLeft={setLeft} />}
    </FormDialog>
  );
}

function Choice({
  made,
  left,
  onLeft,
}: {
  made: FlavorProposal[];
  left: ReadonlySet<string>;
  onLeft: (names: ReadonlySet<string>) => void;
}) {
  const t = useT();
  const size = (flavor: Flavor) =>
    [
      cardsOf(flavor, t('size.gpu')),
      t('size.cpus', { count: formatCount(flavor.resources.cpus) }),
      sizeWords(flavor.resources.memory),
    ].join(' · ');
  return (
    <CheckList
      label={t('flavors.proposed')}
      empty={t('flavors.nothingProposed')}
      options={made.map(({ flavor, exists }) => ({
        value: flavor.name,
        label: flavor.name,
        hint: exists ? `${size(flavor)} · ${t('flavors.exists')}` : size(flavor),
        disabled: exists,
      }))}
      chosen={made.filter(({ flavor, exists }) => !exists && !left.has(flavor.name)).map(({ flavor }) => flavor.name)}
      onChange={(chosen) => onLeft(new Set(made.map(({ flavor }) => flavor.name).filter((name) => !chosen.includes(name))))}
    />
  );
}

function nodeWords({ name, gpus, gpu_model: model, cpus, memory }: Node): string {
  const cards = gpus.length > 0 ? [`${gpus.length} × ${model ?? 'GPU'}`] : [];
  return `${name} — ${[...cards, `${formatCount(cpus)} CPU`, formatBytes(memory)].join(' · ')}`;
}
