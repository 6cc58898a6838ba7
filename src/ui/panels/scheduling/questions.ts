/** What the panel asks the scheduler, and keeps of the answers. */
import { useEffect, useState } from 'preact/compat';
import type { SchedulingControl, SchedulingOverview } from '../../scheduling.ts';
import { messageOf } from '../../stores/actions.ts';
import { useCluster } from '../../stores/session.ts';

/** The scheduler of the open cluster; undefined where the host can't ask it. */
export const useScheduling = (): SchedulingControl | undefined => useCluster().cluster.scheduling;

/** How full the nodes are and who waits, for as long as somebody looks. */
export function useOverview(): SchedulingOverview | undefined {
  const scheduling = useScheduling();
  const [overview, setOverview] = useState<SchedulingOverview>();
  useEffect(() => {
    setOverview(undefined);
    return scheduling?.follow(setOverview);
  }, [scheduling]);
  return overview;
}

let turns = 0;
const turnOfAnswer = new WeakMap<object, number>();

/** A number of its own for each answer: while time stands still, moments don't tell one from the next. */
export function turnOf(answer: object): number {
  const turn = turnOfAnswer.get(answer) ?? ++turns;
  turnOfAnswer.set(answer, turn);
  return turn;
}

export interface Answered<T> {
  readonly answer?: T;
  /** What is wrong with the question. */
  readonly problem?: string;
}

/** Asks when `key` changes; until the next answer comes, the last one stays. No key, no question. */
export function useAnswer<T>(key: string | undefined, ask: () => Promise<T>): Answered<T> {
  const [answered, setAnswered] = useState<Answered<T>>({});
  useEffect(() => {
    if (key === undefined) return setAnswered({});
    let isCurrent = true;
    const keep = (next: Answered<T>): void => (isCurrent ? setAnswered(next) : undefined);
    ask().then(
      (answer) => keep({ answer }),
      (problem: unknown) => keep({ problem: messageOf(problem) }),
    );
    return () => {
      isCurrent = false;
    };
    // The key stands for the question.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return answered;
}
