/** The labels of a node: those it reports, and apart from them those it was given, which some may change. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Node } from '@/api/nodes';
import { useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { Icon } from '@/ui/icons';
import lists from '@/ui/table/lists.module.css';
import style from '../NodePage.module.css';

const LabelsDialog = lazy(() => import('../acting/LabelsDialog'));

export function Labels({ of }: { of: Record<string, string> }) {
  const entries = Object.entries(of);
  if (entries.length === 0) return '–';
  return (
    <ul className={`${lists.tags} ${style.labels}`}>
      {entries.map(([name, value]) => (
        <li key={name}>
          {name}={value}
        </li>
      ))}
    </ul>
  );
}

export function GivenLabels({ node }: { node: Node }) {
  const t = useT();
  const may = useMayEverywhere('node:write');
  const [editing, setEditing] = useState(false);
  return (
    <span className={style.given}>
      <Labels of={node.given_labels} />
      {may && (
        <Button variant="default" size="compact-xs" leftSection={<Icon name="edit" size={12} />} onClick={() => setEditing(true)}>
          {t('nodes.editLabels')}
        </Button>
      )}
      {editing && (
        <Suspense fallback={null}>
          <LabelsDialog node={node} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </span>
  );
}
