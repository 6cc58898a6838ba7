/** The thread of a sandbox in a browser: a Web Worker that answers each job with a run. */
import engineUrl from '@jitl/quickjs-wasmfile-release-sync/wasm?url';
import type { Job, Run } from '../../cluster/index.ts';
import { runJob } from './machine.ts';
import { inBackground, throwToHost } from '../../std/index.ts';
import type { FromThread } from './pool.ts';

const creator = self as {
  postMessage(message: FromThread): void;
  onmessage: ((event: MessageEvent<Job>) => void) | null;
};

const engine = fetch(new URL(engineUrl, import.meta.url))
  .then((response) => response.arrayBuffer())
  .then((bytes) => WebAssembly.compile(bytes));

// If that fails, each job gets the error.
engine.then(
  () => creator.postMessage('ready'),
  () => undefined,
);

creator.onmessage = ({ data }) => {
  const run = engine
    .then((module) => runJob(module, data))
    .catch((error: unknown): Run => {
      const message = `the engine could not be started: ${error instanceof Error ? error.message : String(error)}`;
      return { outcome: 'ended', limit: 'none', message, logs: [] };
    });
  inBackground(
    run.then((finished) => creator.postMessage(finished)),
    throwToHost,
  );
};
