/** A notebook as it was saved: its cells, and what they printed and drew. Nothing in it runs. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readStart } from '@/api/files';
import { useT } from '@/app/i18n';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import ink from '@/ui/theme/ink.module.css';
import { readNotebook } from './notebook';
import type { Cell, Output } from './notebook';
import { MOST_NOTEBOOK } from './preview';
import style from './Notebook.module.css';

interface Props {
  url: string;
  queryKey: readonly unknown[];
  name: string;
}

export default function NotebookShown({ url, queryKey, name }: Props) {
  const t = useT();
  const whole = useQuery({
    queryKey: [...queryKey, 'notebook'],
    queryFn: ({ signal }) => readStart(url, MOST_NOTEBOOK, signal),
  });
  const notebook = useMemo(() => whole.data && readNotebook(new TextDecoder().decode(whole.data.bytes)), [whole.data]);
  if (whole.isError) return <ErrorState error={whole.error} retry={() => void whole.refetch()} small />;
  if (notebook === undefined) return <Skeleton rows={6} />;
  if (notebook === null)
    return (
      <EmptyState icon="inbox" title={t('files.binary')} small>
        {t('files.noNotebook')}
      </EmptyState>
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className={style.cells} tabIndex={0} role="region" aria-label={name}>
      {/* oxlint-disable react/no-array-index-key -- cells have nothing but their place */}
      {notebook.cells.map((cell, at) => (
        <CellShown key={at} cell={cell} />
      ))}
      {/* oxlint-enable react/no-array-index-key */}
      {notebook.more > 0 && <p className={ink.fine}>{t('files.moreCells', { count: notebook.more })}</p>}
    </div>
  );
}

function CellShown({ cell: { kind, source, count, outputs } }: { cell: Cell }) {
  return (
    <div className={style.cell}>
      {kind === 'code' && <span className={style.count}>[{count ?? ' '}]</span>}
      <pre className={style[kind]}>{source}</pre>
      {/* oxlint-disable react/no-array-index-key -- outputs have nothing but their place */}
      {outputs.map((output, at) => (
        <OutputShown key={at} output={output} />
      ))}
      {/* oxlint-enable react/no-array-index-key */}
    </div>
  );
}

function OutputShown({ output }: { output: Output }) {
  const t = useT();
  if (output.kind === 'image') return <img className={style.image} src={output.url} alt={t('files.drawn')} />;
  if (output.kind === 'hidden') return <p className={ink.fine}>{t('files.hiddenOutput', { type: output.type })}</p>;
  return <pre className={output.kind === 'error' ? style.error : style.output}>{output.text}</pre>;
}
