import { Fields } from '../../src/scheduler/config/index.ts';
import { Extender, extendersFrom, type ExtenderConfig } from '../../src/scheduler/extender/index.ts';
import { manualClock } from '../../src/std/index.ts';

/** The configuration of an extender, by default at `https://x`. */
export function configured(extender: object, files: Record<string, string> = {}): ExtenderConfig {
  const [read] = extendersFrom(new Fields({ extenders: [{ urlPrefix: 'https://x/', ...extender }] }, ''), files);
  if (!read) throw new Error('there is no extender');
  return read;
}

export interface Asked {
  readonly url: string;
  readonly body: unknown;
}

/** An extender that answers so, and what it was asked. */
export function answering(fields: object, answer: unknown, status = 200): { extender: Extender; asked: Asked[] } {
  const asked: Asked[] = [];
  const extender = new Extender(configured(fields), {
    clock: manualClock(),
    fetch: async (request) => {
      asked.push({ url: `${request.method} ${request.url}`, body: await request.json() });
      return new Response(JSON.stringify(answer), { status });
    },
  });
  return { extender, asked };
}
