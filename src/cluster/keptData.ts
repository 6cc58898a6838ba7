/**
 * Data of the simulated nodes that survives a reload (files of volumes, logs), in the cluster's own storage; no request
 * can read it.
 */
import type { KeptData } from '../node/index.ts';
import type { Storage } from '../storage/index.ts';
import { OWN_PREFIX } from './pki.ts';

const PREFIX = `${OWN_PREFIX}nodes/`;
/** After every key with the prefix. */
const END = `${PREFIX.slice(0, -1)}0`;

export function keptData(storage: Storage): KeptData {
  return {
    all: () =>
      [...storage.range({ start: PREFIX, end: END }).entries]
        .sort((a, b) => a.revision - b.revision)
        .map(({ key, value }) => [key.slice(PREFIX.length), value]),
    get: (key) => storage.get(PREFIX + key)?.value,
    write: async (changes) => {
      const ops = Array.from(changes, ([name, value]) => {
        const key = PREFIX + name;
        return value === undefined ? ({ type: 'delete', key } as const) : ({ type: 'put', key, value } as const);
      });
      // Missing keys can't be deleted.
      await storage.commit(ops.filter((op) => op.type === 'put' || storage.get(op.key)));
    },
  };
}
