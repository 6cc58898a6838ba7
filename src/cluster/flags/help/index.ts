/** Descriptions of flags. They are large and only the settings panel shows them: nothing else may import this. */
import { getOwn } from '../../../std/index.ts';
import type { ComponentKey } from '../declarations/index.ts';
import { apiserver } from './apiserver.ts';
import { controllerManager } from './controllerManager.ts';
import { scheduler } from './scheduler.ts';
import { shared } from './shared.ts';

const own = { apiserver, controllerManager, scheduler };

/** The description of a component's flag by its declared name; empty if there is none. */
export function helpOf(component: ComponentKey, flag: string): string {
  return getOwn(own[component], flag) ?? getOwn(shared, flag) ?? '';
}
