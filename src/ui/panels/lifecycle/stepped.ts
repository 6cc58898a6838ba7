/** Answers that are worked out in steps, between which the page goes on. */
import { useEffect, useRef, useState } from 'preact/compat';
import { inBackground, inTurns, throwToHost, type Steps } from '../../../std/index.ts';

/**
 * The answer to a question; until it is known anew, what was known last. One answer is worked out at a time, then one to what
 * is asked by then. `key` says what an answer is about: one about something else is not shown. `ask` is kept as it is while the
 * question is the same.
 */
export function useStepped<T>(key: string, ask: () => Steps<T>): T | undefined {
  const [known, setKnown] = useState<{ readonly key: string; readonly answer: T }>();
  const next = useRef<{ readonly key: string; readonly ask: () => Steps<T> }>(undefined);
  const isBusy = useRef(false);
  useEffect(() => {
    next.current = { key, ask };
    if (isBusy.current) return;
    isBusy.current = true;
    const look = async (): Promise<void> => {
      for (let asked = next.current; asked; asked = next.current) {
        next.current = undefined;
        setKnown({ key: asked.key, answer: await inTurns(asked.ask()) });
      }
      isBusy.current = false;
    };
    inBackground(look(), throwToHost);
  }, [key, ask]);
  return known?.key === key ? known.answer : undefined;
}
