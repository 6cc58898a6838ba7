import type { Transport } from '../../src/client/index.ts';
import type { ControlledClock } from '../../src/std/index.ts';
import type { Loose } from './smallServer.ts';

/** Requests to a server whose clock stands still unless the test moves it. */
export abstract class Session {
  abstract readonly clock: ControlledClock;
  protected abstract readonly transport: Transport;

  async send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Loose> {
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await this.transport(path, init);
    const text = await response.text();
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }

  get(path: string): Promise<Loose> {
    return this.send('GET', path);
  }

  /** Creates an object; throws where the server refuses. */
  async create(path: string, object: unknown): Promise<Loose> {
    return accepted(path, await this.send('POST', path, object));
  }

  /** Changes an object by a merge patch; throws where the server refuses. */
  async patch(path: string, change: unknown): Promise<Loose> {
    return accepted(path, await this.send('PATCH', path, change, 'application/merge-patch+json'));
  }

  delete(path: string, options?: unknown): Promise<Loose> {
    return this.send('DELETE', path, options);
  }

  async items(path: string): Promise<Loose[]> {
    return (await this.get(path)).items ?? [];
  }

  /** Asks until `holds`, moving the clock a little each time; fails after a minute of its time. */
  async until(path: string, holds: (answer: Loose) => boolean, atMost = 60_000): Promise<Loose> {
    let last: Loose;
    for (let passed = 0; passed <= atMost; passed += 50) {
      last = await this.get(path);
      if (holds(last)) return last;
      await this.advance(50);
    }
    throw new Error(`${path} did not come to what was waited for: ${JSON.stringify(last).slice(0, 3000)}`);
  }

  /** Until an object is gone. */
  gone(path: string): Promise<Loose> {
    return this.until(path, (answer) => answer.code === 404);
  }

  /** Moves the clock; everything that falls due on the way happens, and what follows from it. */
  async advance(ms: number, step = 50): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await this.clock.step(Math.min(step, left));
      await turns();
    }
  }

  /** The events about an object, in the order in which they were recorded. */
  async eventsOf(namespace: string, kind: string, name: string): Promise<Loose[]> {
    const events = await this.items(`/api/v1/namespaces/${namespace}/events`);
    return events.filter(({ involvedObject }) => involvedObject.kind === kind && involvedObject.name === name);
  }

  /** The reasons of those events. */
  async reasons(namespace: string, kind: string, name: string): Promise<string[]> {
    return (await this.eventsOf(namespace, kind, name)).map(({ reason }) => reason);
  }
}

function accepted(path: string, answer: Loose): Loose {
  if (answer.kind === 'Status') throw new Error(`${path}: ${answer.message}`);
  return answer;
}

/** Lets streams and commits, which take turns of the host's event loop, go as far as they can. */
async function turns(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}
