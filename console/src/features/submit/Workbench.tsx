/** The form and the file side by side, with what it would cost in view; on narrow screens the two are tabs. */
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useT } from '@/app/i18n';
import type { EditorHandle } from '@/ui/code/CodeEditor';
import { Notice } from '@/ui/page/Panel';
import { Skeleton } from '@/ui/page/States';
import { FormContext, focusField, useShown } from './form/context';
import type { FormState } from './form/context';
import { Form, sectionsFor } from './form/Form';
import { SectionIndex } from './form/Section';
import { Summary } from './Summary';
import { useChoices } from './useChoices';
import type { Work } from './useWork';
import style from './Submit.module.css';

const JobEditor = lazy(() => import('./file/JobEditor'));
const NarrowTabs = lazy(() => import('./NarrowTabs'));

const SIDE_BY_SIDE = '(min-width: 1180px)';

interface Props {
  work: Work;
  onSubmit: () => void;
  /** The name of the job that is edited. */
  edited?: string;
  /** The job whose earlier runs tell what this one may need. */
  earlier?: string | undefined;
  /** What stands above the form. */
  children?: ReactNode;
}

export function Workbench({ work, onSubmit, edited, earlier, children }: Props) {
  const t = useT();
  const wide = useMediaQuery(SIDE_BY_SIDE, undefined, { getInitialValueInEffect: false });
  const [tab, setTab] = useState('form');
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const { attach, reveal } = useEditor();
  const choices = useChoices();
  const shown = useShown(work.check.mistakes, work.attempted);
  const { advice, given, run } = work.check.result ?? {};
  const form: FormState = {
    file: work.file,
    apply: work.apply,
    choices,
    advice: advice ?? [],
    given: given ?? [],
    run: edited === undefined ? (run ?? undefined) : undefined,
    replaces: work.replaces,
    setReplaces: work.setReplaces,
    earlier,
    ...shown,
  };

  const { placed, wanted } = work;
  const problems = useMemo(() => placed(shown.shown), [placed, shown.shown]);
  useEffect(() => {
    if (wanted && (wanted.path.length === 0 || !focusField(wanted.path))) {
      setTab('file');
      reveal(wanted.from);
    }
  }, [wanted, reveal]);

  const formPane = (
    <div className={style.formPane}>
      {wide && <SectionIndex sections={sectionsFor(work.file)} shown={shown.shown} scroller={scroller} />}
      <div className={style.scroll} ref={setScroller}>
        {children}
        {work.broken && (
          <div className={style.sticky}>
            <Notice tone="amber" icon="warning" role="status" title={t('submit.broken', { line: work.broken.line })}>
              {work.broken.message}{' '}
              <button type="button" className={style.link} onClick={() => work.attempt()}>
                {t('submit.goToLine')}
              </button>
            </Notice>
          </div>
        )}
        <FormContext value={form}>
          <Form locked={work.broken !== null} />
        </FormContext>
      </div>
    </div>
  );
  const filePane = (
    <div className={style.editorFrame}>
      <Suspense fallback={<Skeleton rows={14} />}>
        <JobEditor ref={attach} text={work.text} onText={work.setText} problems={problems} onSubmit={onSubmit} />
      </Suspense>
    </div>
  );
  const summary = <Summary work={work} shown={shown.shown} edited={edited} />;
  if (wide) {
    return (
      <div className={style.bench}>
        {formPane}
        <div className={style.sidePane}>
          {filePane}
          {summary}
        </div>
      </div>
    );
  }
  return (
    <div className={style.narrow}>
      <Suspense fallback={<Skeleton rows={14} />}>
        <NarrowTabs tab={tab} onTab={setTab} form={formPane} file={filePane} />
      </Suspense>
      {summary}
    </div>
  );
}

/** Leads to a place in the file, also where the editor is still to come: behind its tab, or on its way. */
function useEditor(): { attach: (editor: EditorHandle | null) => void; reveal: (from: number) => void } {
  const editor = useRef<EditorHandle | null>(null);
  const ahead = useRef<number | null>(null);
  const reveal = useCallback((from: number) => {
    ahead.current = editor.current ? null : from;
    editor.current?.reveal(from);
  }, []);
  const attach = useCallback((made: EditorHandle | null) => {
    editor.current = made;
    const from = ahead.current;
    if (!made || from === null) return;
    ahead.current = null;
    // Attached is not yet drawn.
    requestAnimationFrame(() => made.reveal(from));
  }, []);
  return { attach, reveal };
}
