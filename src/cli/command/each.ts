/** One thing after the other; what fails does not stop the rest. */
import { describeError } from './errors.ts';

/** Does `work` for each item, and throws at the end what went wrong. An item that is an error counts as failed. */
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

/** Nothing is thrown where there are no problems. */
export function throwAll(problems: readonly unknown[]): void {
  if (problems.length > 0) throw new AggregateError(problems, problems.map(describeError).join('\n'));
}

/** The items that are no errors; throws where one is. */
export function allOf<T>(items: readonly (T | Error)[]): readonly T[] {
  throwAll(items.filter((item) => item instanceof Error));
  return items.filter((item): item is T => !(item instanceof Error));
}
