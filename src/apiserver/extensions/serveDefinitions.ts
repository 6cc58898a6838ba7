import type { RemoteFetch } from '../../authn/index.ts';
import { parts } from '../../schema/index.ts';
import { remoteConversion } from './conversion/index.ts';
import { startDefinitions, type Definitions } from './definitions.ts';
import type { LoopServer } from './request.ts';

/** Serves stored definitions and follows storage. */
export function startServing(server: LoopServer, fetch: RemoteFetch, served: () => void): Definitions {
  const deps = { ...server, fetch };
  return startDefinitions(
    server,
    (names, definition, retired) =>
      parts.definitions
        .get()
        .customResources(names, definition, { remote: remoteConversion(definition, deps), retired }),
    served,
  );
}
