/** Tab belongs to the program in a terminal, so another key leaves it: with F6 one goes from pane to pane. */
export const LEAVE_KEYS = 'Ctrl+F6';

export const leavesTerminal = (event: Pick<KeyboardEvent, 'ctrlKey' | 'key'>): boolean => event.ctrlKey && event.key === 'F6';
