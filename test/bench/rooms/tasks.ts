/** How long the page's thread was busy at a stretch, in CPU time: a machine that does other things lengthens tasks, but not what they cost. */
import type { Browser, Page } from '@playwright/test';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Thread time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Tasks with the time of their thread are in these together. */
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** Milliseconds of CPU of the longest task of the page's thread while `work` runs. */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<number> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;
  const names = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const threads = new Set(names.map(threadOf));
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && threads.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('the trace has no task of the page’s thread');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0);
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
