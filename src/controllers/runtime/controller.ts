import type { Client, EventRecorder, Informers, ResourceRef } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import type { Clock, PartOf, Random } from '../../std/index.ts';
import type { Tracer } from '../../trace/index.ts';
import type { Flags } from './flags.ts';
import type { Issuance } from './issuance.ts';
import type { Loop, LoopOptions } from './loop.ts';
import type { Served } from './served.ts';

/** What a controller is given when it starts. */
export interface ControllerContext {
  readonly names: Names;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly flags: Flags;
  /** Caches that all controllers share; they begin when every controller has said what it watches. */
  readonly informers: Informers;
  /** What the server serves, kept up to date. */
  readonly served: Served;
  /** Writes as this controller's own identity. */
  readonly client: Client;
  /** Records events in the controller's name. */
  readonly recorder: EventRecorder;
  /** Records events in the name of another component. */
  recorderAs(component: string): EventRecorder;
  /** What the cluster's keys are needed for: tokens, certificates. */
  readonly issuance: Issuance;
  /** The files that flags may name, as text. */
  readonly file: (path: string) => string | undefined;
  /** A loop that begins to work when the caches are filled. Named after the controller where `name` is missing. */
  loop(options: Omit<LoopOptions, 'name'> & { readonly name?: string }): Loop;
  /** Called when the caches are filled, and when the manager stops. */
  onReady(call: () => void): void;
  onStop(call: () => void): void;
}

/** A controller as the list of all has it. */
export interface Controller {
  /** The name in `--controllers`. */
  readonly name: string;
  /** Its service account, where components have their own credentials; the manager's own identity where it is missing. */
  readonly account?: string;
  /** The component that its events name; the account where it is missing. */
  readonly component?: string;
  /** Runs only where `--controllers` names it. */
  readonly offByDefault?: boolean;
  /** Runs whatever `--controllers` says. */
  readonly always?: boolean;
  /** Runs only where this feature gate is on, which is off by default. */
  readonly gate?: string;
  /** What has to be there before there is anything to do. Until then, a start that is a part's is not fetched. */
  readonly wakesOn?: readonly Awaited[];
  /** Says what is watched and what wakes which loop. */
  readonly start: Start | PartOf<Start>;
}

export type Start = (context: ControllerContext) => void;

/** An object of a kind, any or a particular one. */
export interface Awaited {
  readonly ref: ResourceRef;
  readonly concerns: (object: ApiObject, names: Names) => boolean;
}

/** The first object of a kind that a controller has something to do with. */
export function first<T extends ApiObject>(
  ref: ResourceRef<T>,
  concerns: (object: T, names: Names) => boolean = () => true,
): Awaited {
  return { ref: ref as ResourceRef, concerns: concerns as Awaited['concerns'] };
}

/** Whether `--controllers` lets a controller run: by name, without `-name`, or by `*` where it is on by default. */
export function isEnabled(controller: Controller, list: readonly string[]): boolean {
  if (controller.always) return true;
  for (const item of list) {
    if (item === controller.name) return true;
    if (item === `-${controller.name}`) return false;
  }
  return list.includes('*') && !controller.offByDefault;
}
