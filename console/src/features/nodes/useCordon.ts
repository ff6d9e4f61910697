/** Takes nodes out of service for new work, or back. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cordonNodes, nodeKeys } from '@/api/nodes';
import type { Node } from '@/api/nodes';
import { resourceKeys } from '@/api/resources';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { refusedIn } from '@/parts/Outcomes';

export function useCordon(nodes: readonly Pick<Node, 'name'>[], onDone: () => void) {
  const t = useT();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ cordoned, note = '' }: { cordoned: boolean; note?: string }) =>
      cordonNodes(
        nodes.map(({ name }) => name),
        cordoned,
        note,
      ),
    onSuccess: async (outcomes, { cordoned }) => {
      const [first, ...rest] = outcomes.filter(({ ok }) => ok);
      if (first) {
        const message =
          rest.length === 0
            ? t(cordoned ? 'nodes.cordonDone' : 'nodes.uncordonDone', { name: first.name })
            : t(cordoned ? 'nodes.cordonDoneMany' : 'nodes.uncordonDoneMany', { count: rest.length + 1 });
        notify({ message });
      }
      if (refusedIn(outcomes).length === 0) onDone();
      await Promise.all([nodeKeys.all, resourceKeys.all].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}
