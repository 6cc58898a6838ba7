/** Serves definitions, starting with the first one: a cluster without definitions does not load this. */
import type { RemoteFetch } from '../../authn/index.ts';
import { parts } from '../../schema/index.ts';
import { Part } from '../../std/index.ts';
import { collectionRange } from '../registry/keys.ts';
import { definitionResource } from './definitionResource.ts';
import type { Definitions } from './definitions.ts';
import type { LoopServer } from './request.ts';

/** A write of the first definition waits for it (`stages/parts.ts`). */
export const definitionServing = new Part(async () => {
  const [serving] = await Promise.all([import('./serveDefinitions.ts'), parts.definitions.load()]);
  return serving;
});

/** `served` is called whenever the served resources change. */
export async function serveDefinitions(
  server: LoopServer,
  fetch: RemoteFetch,
  served: () => void,
): Promise<Definitions> {
  const start = (): Definitions => definitionServing.get().startServing(server, fetch, served);
  const range = collectionRange(definitionResource(server), '');
  if (server.storage.count(range.start, range.end) > 0) await definitionServing.load();
  if (definitionServing.loaded) return start();
  let running: Definitions | undefined;
  const watch = server.storage.watch(
    { ...range, from: server.storage.revision },
    () => {
      watch.close();
      running ??= start();
    },
    () => undefined,
  );
  return {
    stop: async () => {
      watch.close();
      await running?.stop();
    },
  };
}
