/** What each flag does, in words. They are many, and only the settings panel shows them: nothing else may import this. */
import { getOwn } from '../../../std/index.ts';
import type { ComponentKey } from '../declarations/index.ts';
import { apiserver } from './apiserver.ts';
import { controllerManager } from './controllerManager.ts';
import { scheduler } from './scheduler.ts';
import { shared } from './shared.ts';

const own = { apiserver, controllerManager, scheduler };

/** The help of a component's flag, by the name it is declared with; empty where nothing was written. */
export function helpOf(component: ComponentKey, flag: string): string {
  return getOwn(own[component], flag) ?? getOwn(shared, flag) ?? '';
}
