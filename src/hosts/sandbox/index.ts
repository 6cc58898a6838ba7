import type { Sandbox } from '../../cluster/index.ts';
import { createPool, type FromThread } from './pool.ts';

export { createPool } from './pool.ts';

/** A sandbox of Web Workers; none is started before the first job. */
export function browserSandbox(): Sandbox {
  return createPool(({ onMessage, onBroken }) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'sandbox' });
    worker.onmessage = ({ data }: MessageEvent<FromThread>) => onMessage(data);
    worker.onerror = (event) => onBroken(event.message || 'the thread could not be started');
    return { post: (job) => worker.postMessage(job), end: () => worker.terminate() };
  });
}
