import type { ClusterOptions } from '../../cluster/index.ts';
import type { PastMoment } from '../worker/pastRoutes.ts';
import { askHost } from './ask.ts';
import { BootError, type Connection } from './connection.ts';
import { knownCluster, remember } from './known.ts';
import { questionsAboutPast } from './scheduling.ts';
import type { PastCluster, PastControl, RunningCluster } from './cluster.ts';

const AT_HEADER = 'x-vitrine-at';

type Live = Omit<RunningCluster, 'past'>;

/** How questions about access are asked; `running.ts` hands it in. */
type AccessOver = (ask: <T>(path: string, body?: object) => Promise<T>) => RunningCluster['access'];

export function pastOver(connection: Connection, live: Live, accessOver: AccessOver): Required<PastControl> {
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    return (await (await askHost(connection, path, init)).json()) as T;
  };
  return {
    open: async (revision) => pastCluster(connection, live, await ask<PastMoment>('/past', { revision }), accessOver),
    next: (revision) => ask(`/past/next?revision=${revision}`),
    fork: async (revision, name) => {
      if (knownCluster(name)) throw new BootError('flags', `there is a cluster named ${name} already`);
      await ask('/past/fork', { revision, name });
      const options: ClusterOptions = { ...live.options, name, storage: 'indexeddb' };
      remember(options, true);
      return options;
    },
  };
}

function pastCluster(connection: Connection, live: Live, moment: PastMoment, accessOver: AccessOver): PastCluster {
  const refuse = (): Promise<never> => Promise.reject(new Error('Nothing moves in the past.'));
  const { now, revision } = moment;
  const at = { [AT_HEADER]: String(revision) };
  const ask = async <T>(path: string, asked?: object): Promise<T> => {
    const body = JSON.stringify(asked);
    return (await (await askHost(connection, path, { method: 'POST', body, headers: at })).json()) as T;
  };
  const access = accessOver(ask);
  const { name, options, base, left, stop } = live;
  return {
    ...{ name, options, base, left, stop, moment },
    transport: (path, init) => {
      const headers = new Headers(init?.headers);
      headers.set(AT_HEADER, at[AT_HEADER] ?? '');
      return live.transport(path, { ...init, headers });
    },
    trace: () => () => undefined,
    clock: {
      state: () => Promise.resolve({ now, paused: true, scale: 1 }),
      follow: () => () => undefined,
      ...{ pause: refuse, resume: refuse, scale: refuse, step: refuse, stopStep: refuse },
    },
    storage: {
      ...live.storage,
      report: async () => ({ ...(await live.storage.report()), revision, compacted: revision }),
      compact: refuse,
      history: async (key) => (await live.storage.history(key)).filter((each) => each.revision <= revision),
      restore: refuse,
    },
    access,
    scheduling: questionsAboutPast(connection, at),
  };
}
