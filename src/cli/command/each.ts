/** Work on several items in turn; a failure does not stop the rest. */
import { describeError } from './errors.ts';

/** Does `work` for each item and throws the errors at the end. An item that is an error counts as failed. */
export async function forEach<T>(items: readonly (T | Error)[], work: (item: T) => Promise<void>): Promise<void> {
  const problems: unknown[] = [];
  for (const item of items) {
    try {
      if (item instanceof Error) throw item;
      await work(item);
    } catch (error) {
      problems.push(error);
    }
  }
  throwAll(problems);
}

/** Throws nothing if there are no problems. */
export function throwAll(problems: readonly unknown[]): void {
  if (problems.length > 0) throw new AggregateError(problems, problems.map(describeError).join('\n'));
}

/** The items that are not errors. Throws if any is one. */
export function allOf<T>(items: readonly (T | Error)[]): readonly T[] {
  throwAll(items.filter((item) => item instanceof Error));
  return items.filter((item): item is T => !(item instanceof Error));
}
