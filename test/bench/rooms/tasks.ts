/** How long the page's thread was busy at a stretch, in CPU time: a machine that does other things lengthens tasks, but not what they cost. */
import type { Browser, Page } from '@playwright/test';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Thread time in microseconds. */
  readonly tdur?: number;
}

/** Tasks with the time of their thread are in these together; marks in the last. */
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing'];

/** Set by the page that is measured, so that its thread is found among those of all tabs. */
const MARK = 'measured';

/** Milliseconds of CPU of each task of the page's thread while `work` runs. */
export async function tasksDuring(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<readonly number[]> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.evaluate((mark) => void performance.mark(mark), MARK);
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mark = traceEvents.find(({ name }) => name === MARK);
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && pid === mark?.pid && tid === mark.tid);
  if (tasks.length === 0) throw new Error('the trace has no task of the page’s thread');
  return tasks.map(({ tdur = 0 }) => tdur / 1000);
}

/** Milliseconds of CPU of the longest task of the page's thread while `work` runs. */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<number> {
  return (await tasksDuring(browser, page, work)).reduce((longest, ms) => Math.max(longest, ms), 0);
}

/** Resolves when the page's thread has had no task of 50 ms for a second. */
export function untilQuiet(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const quiet = (): void => {
          observer.disconnect();
          resolve();
        };
        let timer = setTimeout(quiet, 1000);
        const observer = new PerformanceObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(quiet, 1000);
        });
        observer.observe({ type: 'longtask' });
      }),
  );
}
