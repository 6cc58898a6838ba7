import type { Client, EventRecorder, Informers, ResourceRef } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import type { Clock, PartOf, Random } from '../../std/index.ts';
import type { Tracer } from '../../trace/index.ts';
import type { Flags } from './flags.ts';
import type { Issuance } from './issuance.ts';
import type { Loop, LoopOptions } from './loop.ts';
import type { Served } from './served.ts';

/** What a controller gets when it starts. */
export interface ControllerContext {
  readonly names: Names;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly flags: Flags;
  /** Caches that all controllers share; they start after every controller has declared its watches. */
  readonly informers: Informers;
  /** Discovery of the server's resources, kept up to date. */
  readonly served: Served;
  /** Writes with this controller's own identity. */
  readonly client: Client;
  /** Records events with the controller's name. */
  readonly recorder: EventRecorder;
  /** Records events with the name of another component. */
  recorderAs(component: string): EventRecorder;
  /** Operations that need the cluster's keys: tokens, certificates. */
  readonly issuance: Issuance;
  /** The files that flags may refer to, as text. */
  readonly file: (path: string) => string | undefined;
  /** A loop that starts when the caches are synced. Its default name is the controller's. */
  loop(options: Omit<LoopOptions, 'name'> & { readonly name?: string }): Loop;
  /** Calls `call` when the caches are synced, or when the manager stops. */
  onReady(call: () => void): void;
  onStop(call: () => void): void;
}

/** A controller in the list. */
export interface Controller {
  /** The name in `--controllers`. */
  readonly name: string;
  /** Its service account, used if components have their own credentials; the manager's identity by default. */
  readonly account?: string;
  /** The component name in its events; the account by default. */
  readonly component?: string;
  /** Nodes depend on it: its requests alternate with those of all other components, however many wait. */
  readonly keepsNodes?: boolean;
  /** Runs only if `--controllers` names it. */
  readonly offByDefault?: boolean;
  /** Runs regardless of `--controllers`. */
  readonly always?: boolean;
  /** Runs only if this feature gate is on; the gate is off by default. */
  readonly gate?: string;
  /** The objects that must exist before it has work. Until then its part is not loaded. */
  readonly wakesOn?: readonly Awaited[];
  /** Declares the watches and what wakes each loop. */
  readonly start: Start | PartOf<Start>;
}

export type Start = (context: ControllerContext) => void;

/** An object of a kind: any, or a matching one. */
export interface Awaited {
  readonly ref: ResourceRef;
  readonly concerns: (object: ApiObject, names: Names) => boolean;
}

/** The first object of a kind that a controller has to handle. */
export function first<T extends ApiObject>(
  ref: ResourceRef<T>,
  concerns: (object: T, names: Names) => boolean = () => true,
): Awaited {
  return { ref: ref as ResourceRef, concerns: concerns as Awaited['concerns'] };
}

/** Whether `--controllers` enables a controller: by name, without `-name`, or by `*` if it is on by default. */
export function isEnabled(controller: Controller, list: readonly string[]): boolean {
  if (controller.always) return true;
  for (const item of list) {
    if (item === controller.name) return true;
    if (item === `-${controller.name}`) return false;
  }
  return list.includes('*') && !controller.offByDefault;
}
