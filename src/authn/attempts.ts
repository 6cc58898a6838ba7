import { PartError } from '../std/index.ts';
import type { Attempt, AttemptNote, UserInfo } from './types.ts';

export const passed = (why: string): Attempt => ({ outcome: 'passed', why });
/** `error` is the reference's text for a token review, where it differs from the explanation in the trace. */
export const refused = (why: string, error?: string): Attempt => ({
  outcome: 'refused',
  why,
  ...(error !== undefined && { error }),
});
export const accepted = (why: string, user: UserInfo, audiences?: readonly string[]): Attempt => ({
  outcome: 'accepted',
  why,
  user,
  ...(audiences === undefined ? {} : { audiences }),
});

/** What the trace shows of an attempt. */
export const noteOf = (method: string, { outcome, why, error }: Attempt): AttemptNote => ({
  method,
  outcome,
  why,
  ...(error !== undefined && { error }),
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
