import { Worker } from 'node:worker_threads';
import type { Sandbox } from '../../cluster/index.ts';
import { createPool } from '../sandbox/index.ts';
import { inBackground, throwToHost } from '../../std/index.ts';

/** A sandbox of worker threads; none is started before the first job. `file` is `sandboxThread.ts`, bundled. */
export function nodeSandbox(file: URL): Sandbox {
  return createPool(({ onMessage, onBroken }) => {
    // Nothing of this process goes along: not its environment, not its output.
    const worker = new Worker(file, {
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    worker.unref();
    worker.on('message', onMessage);
    worker.on('error', (error) => onBroken(error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => onBroken('the thread ended'));
    return { post: (job) => worker.postMessage(job), end: () => inBackground(worker.terminate(), throwToHost) };
  });
}
