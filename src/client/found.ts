import { isReason } from '../schema/index.ts';

/** What was read; undefined if it does not exist on the server. Rejects for every other problem. */
export async function found<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (problem) {
    if (isReason(problem, 'NotFound')) return undefined;
    throw problem;
  }
}
