/** What a tab takes: CPU time and memory of its process, and the heaps of the page and its workers. */
import type { Browser, CDPSession, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { cpuOf } from '../servers/cpu.ts';

export interface MemoryNow {
  /** Milliseconds of CPU so far. */
  readonly cpu: number;
  /** Bytes of memory that the page's process has for itself. */
  readonly own: number;
  /** The same, with the browser's program, which it shares with other processes. */
  readonly resident: number;
  readonly heap: number;
  /** Bytes that the workers' heaps have from the system, in use or not. */
  readonly reserved: number;
  /** Bytes of what the workers keep outside of their heap. */
  readonly buffers: number;
  readonly pageHeap: number;
}

export interface Memory {
  now(): Promise<MemoryNow>;
  /** Collects garbage in the page and its workers. */
  collect(): Promise<void>;
}

interface HeapUsage {
  readonly usedSize: number;
  readonly totalSize: number;
  readonly backingStorageSize?: number;
}

/** Sends commands of DevTools to workers of a page, which come and go. */
class Workers {
  readonly #session: CDPSession;
  readonly #ids = new Set<string>();
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #last = 0;

  constructor(session: CDPSession) {
    this.#session = session;
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') this.#ids.add(sessionId);
    });
    session.on('Target.detachedFromTarget', ({ sessionId }) => this.#ids.delete(sessionId));
    session.on('Target.receivedMessageFromTarget', ({ message }) => {
      const { id, result } = JSON.parse(message) as { readonly id?: number; readonly result?: unknown };
      if (id === undefined) return;
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** The answers of all workers. */
  all(method: string): Promise<readonly unknown[]> {
    return Promise.all(Array.from(this.#ids, (sessionId) => this.#send(sessionId, method)));
  }

  async #send(sessionId: string, method: string): Promise<unknown> {
    const id = ++this.#last;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    await this.#session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
    return answer;
  }
}

export async function followMemory(browser: Browser, page: Page): Promise<Memory> {
  const whole = await browser.newBrowserCDPSession();
  const session = await page.context().newCDPSession(page);
  const workers = new Workers(session);
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  return {
    now: async () => {
      const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
      const renderers = processInfo
        .filter(({ type }) => type === 'renderer')
        .map(({ id }) => ({ id, ...memoryOf(id) }));
      // The others are empty: one is kept ready for the next page, one had the first page of the tab.
      const [tab] = renderers.sort((a, b) => b.own - a.own);
      if (!tab) throw new Error('the page has no process');
      const heaps = (await workers.all('Runtime.getHeapUsage')) as readonly HeapUsage[];
      const sum = (of: (heap: HeapUsage) => number): number => heaps.reduce((total, heap) => total + of(heap), 0);
      return {
        cpu: cpuOf([tab.id]),
        own: tab.own,
        resident: tab.resident,
        heap: sum(({ usedSize }) => usedSize),
        reserved: sum(({ totalSize }) => totalSize),
        buffers: sum(({ backingStorageSize = 0 }) => backingStorageSize),
        pageHeap: (await session.send('Runtime.getHeapUsage')).usedSize,
      };
    },
    collect: async () => {
      await session.send('HeapProfiler.collectGarbage');
      await workers.all('HeapProfiler.collectGarbage');
    },
  };
}

/** Bytes of memory that a process has, as the kernel of Linux counts them. */
function memoryOf(id: number): Pick<MemoryNow, 'own' | 'resident'> {
  const status = readFileSync(`/proc/${id}/status`, 'utf8');
  const bytes = (name: string): number =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  return { own: bytes('RssAnon') + bytes('VmSwap'), resident: bytes('VmRSS') };
}
