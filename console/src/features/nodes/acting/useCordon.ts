/** Takes nodes out of service for new work, or back. */
import { cordonNodes, nodeKeys } from '@/api/nodes';
import type { Node } from '@/api/nodes';
import { resourceKeys } from '@/api/resources';
import { useT } from '@/app/i18n';
import { refusedIn } from '@/parts/Outcomes';
import { useSave } from '@/parts/useSave';

export function useCordon(nodes: readonly Pick<Node, 'name'>[], onDone: () => void) {
  const t = useT();
  return useSave({
    save: ({ cordoned, note = '' }: { cordoned: boolean; note?: string }) =>
      cordonNodes(
        nodes.map(({ name }) => name),
        cordoned,
        note,
      ),
    close: (outcomes) => refusedIn(outcomes).length === 0 && onDone(),
    said: (outcomes, { cordoned }) => {
      const [first, ...rest] = outcomes.filter(({ ok }) => ok);
      if (!first) return undefined;
      return rest.length === 0
        ? t(cordoned ? 'nodes.cordonDone' : 'nodes.uncordonDone', { name: first.name })
        : t(cordoned ? 'nodes.cordonDoneMany' : 'nodes.uncordonDoneMany', { count: rest.length + 1 });
    },
    invalidate: [nodeKeys.all, resourceKeys.all],
  });
}
