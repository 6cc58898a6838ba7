import type { ClusterOptions } from '../../cluster/index.ts';
import type { Call } from '../wire/index.ts';
import { createWireClient } from '../wire/index.ts';
import type { BootFailure, BootStep, Chore, ChoreDetails, FromWorker, ToWorker } from '../worker/messages.ts';

/** Why a cluster could not be opened. `damaged` offers export and repair. */
export class BootError extends Error {
  override name = 'BootError';
  readonly kind: BootFailure['kind'];

  constructor(kind: BootFailure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A worker with one cluster open. */
export interface Connection {
  send(call: Call): Promise<Response>;
  /** Leaves the cluster; resolves when the worker has finished. */
  leave(): Promise<void>;
  /** Resolves with the reason when the cluster is gone, by `leave` or from elsewhere. */
  readonly left: Promise<string>;
}

export function startWorker(name: string): Worker {
  return new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module', name });
}

/**
 * Opens a cluster in its own worker; one that is `known` must have its data. Throws BootError. `onProblem` is called
 * for uncaught errors in the worker after the cluster is open.
 */
export function connect(
  options: ClusterOptions,
  known: boolean,
  progress: (step: BootStep) => void,
  onProblem: (message: string) => void,
): Promise<Connection> {
  progress({ step: 'worker' });
  const worker = startWorker(options.name);
  const post = (message: ToWorker, transfer: Transferable[] = []): void => worker.postMessage(message, transfer);
  const wire = createWireClient(post);

  return new Promise((resolve, reject) => {
    let leave = (_reason: string): void => undefined;
    const left = new Promise<string>((done) => (leave = done));
    const refuse = ({ kind, message }: BootFailure): void => {
      worker.terminate();
      reject(new BootError(kind, message));
    };
    worker.onerror = (event) => refuse({ kind: 'other', message: event.message || 'the worker could not be started' });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'step') progress(data.step);
      else if (data.type === 'refused') refuse(data.failure);
      else if (data.type === 'left') {
        wire.disconnect(data.reason);
        leave(data.reason);
      } else if (data.type === 'opened') {
        worker.onerror = (event) => onProblem(event.message);
        resolve({ send: wire.send, leave: () => (post({ type: 'leave' }), left.then(() => undefined)), left });
      } else if (data.type !== 'done' && data.type !== 'flags') wire.receive(data);
    };
    post({ type: 'open', options, known });
  });
}

/** Has a worker do something to the database of a cluster that nobody has open; throws BootError. */
export function runChore(name: string, chore: Chore, details: ChoreDetails = {}): Promise<Blob | string> {
  const worker = startWorker(`${chore} ${name}`);
  return new Promise<Blob | string>((resolve, reject) => {
    worker.onerror = (event) => reject(new BootError('other', event.message || 'the worker could not be started'));
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'done') resolve(data.result);
      if (data.type === 'refused') reject(new BootError(data.failure.kind, data.failure.message));
    };
    worker.postMessage({ type: 'chore', name, chore, ...details } satisfies ToWorker);
  }).finally(() => worker.terminate());
}
