/** Short messages in the corner. */
import { openCorner } from './news/ToastCorner';

export interface Note {
  message: string;
  title?: string;
  /** Something failed. */
  bad?: boolean;
  /** What one may want to do about it. */
  action?: { label: string; run: () => void };
}

export function notify(note: Note): void {
  void openCorner().then(({ show }) => show(note));
}
