/** A keyboard shortcut drawn as keycaps. */
import { keycaps } from '@/app/shortcut-keys';
import style from './Keys.module.css';

export function Keys({ keys }: { keys: string }) {
  return (
    <span className={style.keys}>
      {keycaps(keys).map((press) => (
        <span key={press.join()} className={style.press}>
          {press.map((cap) => (
            <kbd key={cap} className={style.cap}>
              {cap}
            </kbd>
          ))}
        </span>
      ))}
    </span>
  );
}
