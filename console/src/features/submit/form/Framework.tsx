/** Whose conventions the tasks follow, and how the work is shared among them. */
import type { ReactNode } from 'react';
import { useRef } from 'react';
import type { Framework } from '@/api/frameworks';
import { useSentence, useT } from '@/app/i18n';
import { frameworkOf, NONE, NOTHING_KEPT, retrain, strategyOf } from '../frameworks';
import { isWorkspace } from '../file/reading';
import { useForm } from './context';
import { ChoiceField } from './fields';
import style from './Form.module.css';

export function FrameworkChoice() {
  const t = useT();
  const say = useSentence();
  const { file, choices, apply } = useForm();
  const kept = useRef(NOTHING_KEPT);
  const { frameworks } = choices;
  if (file.framework === undefined && (isWorkspace(file) || frameworks.length === 0)) return null;
  const framework = frameworkOf(file, frameworks);
  const strategy = strategyOf(file, frameworks);
  const change = (to: Framework | undefined, name: string) => {
    if (!to) return;
    const made = retrain(file, { framework: to, strategy: name }, frameworks, kept.current);
    kept.current = made.kept;
    apply(made.edits);
  };
  const strategies = framework && framework.name !== NONE ? framework.strategies : [];
  return (
    <div className={strategies.length > 0 ? style.pair : style.stack}>
      <ChoiceField
        path={['framework']}
        label={t('framework.title')}
        help={framework && withCode(say(framework.about))}
        choices={frameworks.map(({ name, label }) => ({ value: name, label: say(label) }))}
        standard={NONE}
        onChoose={(name) =>
          change(
            frameworks.find((each) => each.name === name),
            '',
          )
        }
      />
      {(strategies.length > 0 || file.strategy !== undefined) && (
        <ChoiceField
          path={['strategy']}
          label={t('framework.strategy')}
          help={strategy && withCode(say(strategy.about))}
          choices={strategies.map(({ name, label }) => ({ value: name, label: say(label) }))}
          standard={strategies[0]?.name ?? ''}
          onChoose={(name) => change(framework, name)}
        />
      )}
    </div>
  );
}

/** What stands between backticks is code. */
function withCode(text: string): ReactNode {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
}
