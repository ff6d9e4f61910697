/** Functions that stay the same at every drawing, so that rows that did not change are left alone; they do what the latest ones do. */
import { useRef, useState } from 'react';

type Functions = Record<string, (...args: never[]) => void>;

export function useStable<Given extends Functions>(functions: Given): Given {
  const latest = useRef(functions);
  latest.current = functions;
  const [stable] = useState(() => {
    const names = Object.keys(functions) as (keyof Given)[];
    return Object.fromEntries(names.map((name) => [name, (...args: never[]) => latest.current[name]!(...args)])) as Given;
  });
  return stable;
}
