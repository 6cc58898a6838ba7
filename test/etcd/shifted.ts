import type { Engine, EngineState, Entry, Op } from '../../src/storage/index.ts';

/**
 * An engine that counts revisions from what they are now, as a storage of its own does from 0: tests of storage tell revisions
 * by number, and etcd is at revision 1 before anybody writes.
 */
export function shifted(engine: Engine, base: number): Engine {
  const down = (entry: Entry): Entry => ({
    ...entry,
    created: entry.created - base,
    revision: entry.revision - base,
  });
  const up = (op: Op): Op => (op.expect ? { ...op, expect: op.expect + base } : op);
  const state = ({ revision, entries }: EngineState): EngineState => ({
    revision: revision - base,
    entries: entries.map(down),
  });
  return {
    commit: async (ops) => {
      const { held, revision } = await engine.commit(ops.map(up));
      return { held, revision: revision - base };
    },
    newest: async () => (await engine.newest()) - base,
    oldest: async () => state(await engine.state()),
    state: async () => state(await engine.state()),
    follow: (after, { committed, missed }) =>
      engine.follow(after + base, {
        missed,
        committed: (commits) =>
          committed(
            commits.map(({ revision, changes }) => ({
              revision: revision - base,
              changes: changes.map(({ key, entry }) => (entry ? { key, entry: down(entry) } : { key })),
            })),
          ),
      }),
    // Telling others of it takes a revision, which tests don't count.
    compact: () => Promise.resolve(),
    size: () => engine.size(),
    close: () => engine.close(),
  };
}
