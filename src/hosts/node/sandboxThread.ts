/** The thread of a sandbox in Node: a worker thread that answers each job with a run. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { Job } from '../../cluster/index.ts';
import { runJob } from '../sandbox/machine.ts';
import { inBackground, throwToHost } from '../../std/index.ts';
import type { FromThread } from '../sandbox/pool.ts';

const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
const engine = readFile(file).then((bytes) => WebAssembly.compile(bytes));

const tell = (message: FromThread): void => parentPort?.postMessage(message);

// A failure to start ends the thread, which its pool notices.
inBackground(
  engine.then(() => tell('ready')),
  throwToHost,
);
parentPort?.on('message', (job: Job) => {
  inBackground(engine.then((module) => runJob(module, job)).then(tell), throwToHost);
});
