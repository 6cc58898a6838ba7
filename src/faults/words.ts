/** How faults are told to people. Apart from the list, so that the worker does not fetch what only the page shows. */
import type { Fault } from './fault.ts';
import type { FaultName } from './list.ts';

export interface FaultWords {
  /** The text of its menu item. */
  readonly title: string;
  /** Short, for a badge on the object while the fault is set. */
  readonly badge: string;
  /** What happens, in a sentence or two. */
  readonly effect: string;
}

export const faultWords: Readonly<Record<FaultName, FaultWords>> = {
  'node-down': {
    title: 'Switch the node off',
    badge: 'Off',
    effect: 'The node and its containers stop: no status, no lease, no probe, no answer to packets.',
  },
  'node-split': {
    title: 'Cut the node off the network',
    badge: 'Cut off',
    effect: 'Containers go on, but packets to and from other nodes are lost, and the API server is out of reach.',
  },
  'node-pressure': {
    title: 'Put the node under pressure',
    badge: 'Under pressure',
    effect:
      'The node reports the condition and evicts pods, one at a time, until the pressure is gone. `runtime` makes it NotReady.',
  },
  'image-pull': {
    title: 'Make image pulls fail',
    badge: 'Pull fails',
    effect: 'The registry does not answer: ErrImagePull, then ImagePullBackOff.',
  },
  crash: {
    title: 'Crash with an exit code',
    badge: 'Crashes',
    effect: 'Each container ends with this code a second after it starts, or when `exit-after` says so.',
  },
  exit: {
    title: 'End after a time',
    badge: 'Ends by itself',
    effect: 'Each container ends so long after it starts, with code 0 or the one of `exit-code`.',
  },
  'out-of-memory': {
    title: 'Run out of memory',
    badge: 'Out of memory',
    effect: 'Each container is killed for its use of memory so long after it starts: OOMKilled, code 137.',
  },
  'slow-start': {
    title: 'Start slowly',
    badge: 'Slow start',
    effect: 'Startup and readiness probes fail until so long after the start of a container.',
  },
  readiness: {
    title: 'Make it not ready',
    badge: 'Readiness',
    effect: '`fail`: no container is ready. `flap`: all are ready for ten seconds, then not for ten, again and again.',
  },
  liveness: {
    title: 'Make liveness probes fail',
    badge: 'Liveness fails',
    effect: 'Containers with a liveness probe are restarted.',
  },
  startup: {
    title: 'Make startup probes fail',
    badge: 'Startup fails',
    effect: 'Containers with a startup probe never count as started, and are restarted.',
  },
};

export const wordsOf = ({ name }: Fault): FaultWords => faultWords[name as FaultName];
