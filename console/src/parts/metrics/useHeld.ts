/** A choice that the address keeps: it changes on the screen at once, the address follows. */
import { useState } from 'react';

/** `given` is what the address says; when that changes by itself, it holds. */
export function useHeld<Value>(given: Value): [held: Value, hold: (value: Value) => void] {
  const [held, setHeld] = useState(given);
  const [seen, setSeen] = useState(given);
  if (String(given) !== String(seen)) {
    setSeen(given);
    setHeld(given);
  }
  return [held, setHeld];
}
