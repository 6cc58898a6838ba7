import { PartError } from '../std/index.ts';
import type { Attempt, UserInfo } from './types.ts';

export const passed = (why: string): Attempt => ({ outcome: 'passed', why });
export const refused = (why: string): Attempt => ({ outcome: 'refused', why });
export const accepted = (why: string, user: UserInfo, audiences?: readonly string[]): Attempt => ({
  outcome: 'accepted',
  why,
  user,
  ...(audiences === undefined ? {} : { audiences }),
});

/** A user with only a name, groups and uid. */
export const userInfo = (name: string, groups: readonly string[] = [], uid = ''): UserInfo => ({
  name,
  groups,
  extra: {},
  ...(uid === '' ? {} : { uid }),
});

/** Runs a method so that an exception is a refusal and does not fail the whole request. */
export function guarded(run: () => Attempt | Promise<Attempt>): Attempt | Promise<Attempt> {
  try {
    const attempt = run();
    return attempt instanceof Promise ? attempt.catch(failed) : attempt;
  } catch (problem) {
    return failed(problem);
  }
}

/** A part that can't be loaded is not a refusal: the error is rethrown, so that the client can retry. */
function failed(problem: unknown): Attempt {
  if (problem instanceof PartError) throw problem;
  return refused(problem instanceof Error ? problem.message : String(problem));
}
