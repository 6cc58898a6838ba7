/** What people can make fail, to see what the cluster does about it. The one list: menus, badges and agents go by it; its words stand in `words.ts`. */
import { ANNOTATION_PREFIX, type Fault } from './fault.ts';

const annotation = (name: string): string => ANNOTATION_PREFIX + name;

/** To add a fault: add it here (types then ask for its words), and have the agent (`src/node`) do what it says. */
export const faults = [
  {
    name: 'node-down',
    kind: 'Node',
    annotation: annotation('down'),
    value: { type: 'switch', on: 'true' },
  },
  {
    name: 'node-split',
    kind: 'Node',
    annotation: annotation('split'),
    value: { type: 'switch', on: 'true' },
  },
  {
    name: 'node-pressure',
    kind: 'Node',
    annotation: annotation('pressure'),
    value: { type: 'choice', several: true, options: ['memory', 'disk', 'pid', 'runtime'] },
  },
  {
    name: 'image-pull',
    kind: 'Pod',
    annotation: annotation('pull'),
    value: { type: 'choice', several: false, options: ['fail'] },
  },
  {
    name: 'crash',
    kind: 'Pod',
    annotation: annotation('exit-code'),
    value: { type: 'number', least: 0, most: 255, initial: '1' },
  },
  {
    name: 'exit',
    kind: 'Pod',
    annotation: annotation('exit-after'),
    value: { type: 'duration', initial: '30s' },
  },
  {
    name: 'out-of-memory',
    kind: 'Pod',
    annotation: annotation('oom-after'),
    value: { type: 'duration', initial: '5s' },
  },
  {
    name: 'slow-start',
    kind: 'Pod',
    annotation: annotation('ready-after'),
    value: { type: 'duration', initial: '30s' },
  },
  {
    name: 'readiness',
    kind: 'Pod',
    annotation: annotation('readiness'),
    value: { type: 'choice', several: false, options: ['fail', 'flap'] },
  },
  {
    name: 'liveness',
    kind: 'Pod',
    annotation: annotation('liveness'),
    value: { type: 'choice', several: false, options: ['fail'] },
  },
  {
    name: 'startup',
    kind: 'Pod',
    annotation: annotation('startup'),
    value: { type: 'choice', several: false, options: ['fail'] },
  },
] as const satisfies readonly Fault[];

export type FaultName = (typeof faults)[number]['name'];
