/** Short words side by side: groups, permissions, roles. */
import type { ReactNode } from 'react';
import lists from '@/ui/table/lists.module.css';
import style from './Tags.module.css';

export function Tags({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={lists.tags} aria-label={label}>
      {children}
    </ul>
  );
}

export function Tag({
  tone = 'grey',
  title,
  children,
}: {
  tone?: 'grey' | 'green' | 'blue' | 'amber';
  title?: string;
  children: ReactNode;
}) {
  return (
    <li className={style.tag} data-tone={tone} title={title}>
      {children}
    </li>
  );
}
