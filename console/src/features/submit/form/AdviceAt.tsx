/** What could be better about what stands at a path, or inside of it: calm notes. */
import { useSentence } from '@/app/i18n';
import type { Path } from '@/parts/jobs/job-file-edit';
import { Icon } from '@/ui/icons';
import { useAdvice } from './context';
import style from './Form.module.css';

/** `inside`: also of what these hold, where it is folded away. */
export function AdviceAt({ path, inside }: { path: Path; inside?: never } | { path?: never; inside: readonly Path[] }) {
  const say = useSentence();
  const notes = useAdvice(inside ?? [path], inside !== undefined);
  return notes.map(({ text }) => (
    <span key={text.en} className={style.advice}>
      <Icon name="bulb" size={12} /> <span>{say(text)}</span>
    </span>
  ));
}
