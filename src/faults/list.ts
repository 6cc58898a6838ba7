/** What people can make fail, to see what the cluster does about it. The one list: menus, badges and agents go by it. */
import { ANNOTATION_PREFIX, type Fault } from './fault.ts';

const annotation = (name: string): string => ANNOTATION_PREFIX + name;

/** To add a fault: add it here, and have the agent (`src/node`) do what it says. */
export const faults = [
  {
    name: 'node-down',
    kind: 'Node',
    annotation: annotation('down'),
    title: 'Switch the node off',
    badge: 'Off',
    effect: 'The node and its containers stop: no status, no lease, no probe, no answer to packets.',
    value: { type: 'switch', on: 'true' },
  },
  {
    name: 'node-split',
    kind: 'Node',
    annotation: annotation('split'),
    title: 'Cut the node off the network',
    badge: 'Cut off',
    effect: 'Containers go on, but packets to and from other nodes are lost, and the API server is out of reach.',
    value: { type: 'switch', on: 'true' },
  },
  {
    name: 'node-pressure',
    kind: 'Node',
    annotation: annotation('pressure'),
    title: 'Put the node under pressure',
    badge: 'Under pressure',
    effect:
      'The node reports the condition and evicts pods, one at a time, until the pressure is gone. `runtime` makes it NotReady.',
    value: { type: 'choice', several: true, options: ['memory', 'disk', 'pid', 'runtime'] },
  },
  {
    name: 'image-pull',
    kind: 'Pod',
    annotation: annotation('pull'),
    title: 'Make image pulls fail',
    badge: 'Pull fails',
    effect: 'The registry does not answer: ErrImagePull, then ImagePullBackOff.',
    value: { type: 'choice', several: false, options: ['fail'] },
  },
  {
    name: 'crash',
    kind: 'Pod',
    annotation: annotation('exit-code'),
    title: 'Crash with an exit code',
    badge: 'Crashes',
    effect: 'Each container ends with this code a second after it starts, or when `exit-after` says so.',
    value: { type: 'number', least: 0, most: 255, initial: '1' },
  },
  {
    name: 'exit',
    kind: 'Pod',
    annotation: annotation('exit-after'),
    title: 'End after a time',
    badge: 'Ends by itself',
    effect: 'Each container ends so long after it starts, with code 0 or the one of `exit-code`.',
    value: { type: 'duration', initial: '30s' },
  },
  {
    name: 'out-of-memory',
    kind: 'Pod',
    annotation: annotation('oom-after'),
    title: 'Run out of memory',
    badge: 'Out of memory',
    effect: 'Each container is killed for its use of memory so long after it starts: OOMKilled, code 137.',
    value: { type: 'duration', initial: '5s' },
  },
  {
    name: 'slow-start',
    kind: 'Pod',
    annotation: annotation('ready-after'),
    title: 'Start slowly',
    badge: 'Slow start',
    effect: 'Startup and readiness probes fail until so long after the start of a container.',
    value: { type: 'duration', initial: '30s' },
  },
  {
    name: 'readiness',
    kind: 'Pod',
    annotation: annotation('readiness'),
    title: 'Make it not ready',
    badge: 'Readiness',
    effect: '`fail`: no container is ready. `flap`: all are ready for ten seconds, then not for ten, again and again.',
    value: { type: 'choice', several: false, options: ['fail', 'flap'] },
  },
  {
    name: 'liveness',
    kind: 'Pod',
    annotation: annotation('liveness'),
    title: 'Make liveness probes fail',
    badge: 'Liveness fails',
    effect: 'Containers with a liveness probe are restarted.',
    value: { type: 'choice', several: false, options: ['fail'] },
  },
  {
    name: 'startup',
    kind: 'Pod',
    annotation: annotation('startup'),
    title: 'Make startup probes fail',
    badge: 'Startup fails',
    effect: 'Containers with a startup probe never count as started, and are restarted.',
    value: { type: 'choice', several: false, options: ['fail'] },
  },
] as const satisfies readonly Fault[];

export type FaultName = (typeof faults)[number]['name'];
