/** The states that objects, events and decisions can be in: one colour (a token of the same name) and one icon each. */
import { getOwn } from '../../std/index.ts';
import {
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleMinus,
  CirclePlus,
  OctagonX,
  PencilLine,
  ShieldCheck,
  ShieldX,
  type LucideIcon,
} from 'lucide-preact';

export type State =
  'added' | 'changed' | 'deleted' | 'pending' | 'failed' | 'allowed' | 'denied' | 'ready' | 'completed';

export const stateIcons: Readonly<Record<State, LucideIcon>> = {
  added: CirclePlus,
  changed: PencilLine,
  deleted: CircleMinus,
  pending: CircleDashed,
  failed: OctagonX,
  allowed: ShieldCheck,
  denied: ShieldX,
  ready: CircleDot,
  completed: CircleCheck,
};

const eventStates: Readonly<Record<string, State>> = {
  ADDED: 'added',
  MODIFIED: 'changed',
  DELETED: 'deleted',
  ERROR: 'failed',
};

/** The state of a watch event's type; a bookmark has none. */
export function stateOfEvent(type: string): State | undefined {
  return getOwn(eventStates, type);
}

/** The state of an answer's status code; redirects and informational answers have none. */
export function stateOfStatus(code: number): State | undefined {
  if (code === 401 || code === 403) return 'denied';
  if (code >= 400) return 'failed';
  return code >= 200 && code < 300 ? 'allowed' : undefined;
}

/** The state of an answer to a request. Reading what does not exist fails nothing: an apply reads first. */
export function stateOfAnswer(method: string, code: number): State | undefined {
  return isAbsence(method, code) ? undefined : stateOfStatus(code);
}

/** Whether an answer only says that there is nothing to read. */
export const isAbsence = (method: string, code: number): boolean =>
  code === 404 && (method === 'GET' || method === 'HEAD');

const phases: Readonly<Record<string, State>> = {
  Running: 'ready',
  Active: 'ready',
  Bound: 'ready',
  Ready: 'ready',
  Available: 'ready',
  True: 'ready',
  Approved: 'allowed',
  'Approved,Issued': 'allowed',
  Denied: 'denied',
  Pending: 'pending',
  ContainerCreating: 'pending',
  PodInitializing: 'pending',
  NotReady: 'failed',
  Terminating: 'deleted',
  Lost: 'failed',
  Unknown: 'failed',
  False: 'failed',
  Failed: 'failed',
  Error: 'failed',
  Evicted: 'failed',
  Warning: 'failed',
  Completed: 'completed',
  Complete: 'completed',
  Succeeded: 'completed',
};

const failures = /BackOff|^Err|Error|OOMKilled|Invalid|Failed|NotReady/;
const waits = /^Init:|Pending|Creating|Pulling|SchedulingDisabled|SchedulingGated/;

/** The state that a word of a STATUS column stands for, as far as it says something to a reader. */
export function stateOfPhase(phase: string): State | undefined {
  const known = getOwn(phases, phase);
  if (known) return known;
  if (failures.test(phase)) return 'failed';
  return waits.test(phase) ? 'pending' : undefined;
}
