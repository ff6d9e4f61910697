/** What can be done with nodes after a question: cordon, drain, move, plan maintenance. */
import type { ReactNode } from 'react';
import { lazy, Suspense, useState } from 'react';
import type { Node } from '@/api/nodes';

const CordonDialog = lazy(() => import('./CordonDialog'));
const DrainDialog = lazy(() => import('./DrainDialog'));
const MoveDialog = lazy(() => import('./MoveDialog'));
const MaintenanceForm = lazy(() => import('@/parts/machines/MaintenanceForm'));

export type NodeAct = 'cordon' | 'drain' | 'move' | 'maintain';

export interface DialogProps {
  nodes: readonly Node[];
  /** Called when it was done. */
  onDone: () => void;
  onClose: () => void;
}

const DIALOGS = { cordon: CordonDialog, drain: DrainDialog, move: MoveDialog };

/** `ask` begins; `dialogs` must be somewhere on the page. */
export function useNodeDialogs(onDone: () => void): { ask: (act: NodeAct, nodes: readonly Node[]) => void; dialogs: ReactNode } {
  const [asking, setAsking] = useState<{ act: NodeAct; nodes: readonly Node[] } | null>(null);
  const close = () => setAsking(null);
  return {
    ask: (act, nodes) => setAsking({ act, nodes }),
    dialogs: <Suspense fallback={null}>{asking && dialogFor(asking.act, { nodes: asking.nodes, onDone, onClose: close })}</Suspense>,
  };
}

function dialogFor(act: NodeAct, props: DialogProps): ReactNode {
  if (act === 'maintain') return <MaintenanceForm nodes={props.nodes.map(({ name }) => name)} onClose={props.onClose} />;
  const Asked = DIALOGS[act];
  return <Asked {...props} />;
}
