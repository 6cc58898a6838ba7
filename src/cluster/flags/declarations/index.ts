/** The components and their flags. */
import type { Flag } from '../declare.ts';
import { apiserver } from './apiserver.ts';
import { controllerManager } from './controllerManager.ts';
import { scheduler } from './scheduler.ts';

/** A component with flags; `key` is its name in the cluster's options. */
export interface Component {
  readonly key: ComponentKey;
  readonly title: string;
  /** The component's name, with placeholders of the naming profile. */
  readonly command: string;
  readonly flags: readonly Flag[];
}

export type ComponentKey = 'apiserver' | 'controllerManager' | 'scheduler';

export const components: readonly Component[] = [
  { key: 'apiserver', title: 'API server', command: '{prefix}-apiserver', flags: apiserver },
  {
    key: 'controllerManager',
    title: 'Controller manager',
    command: '{prefix}-controller-manager',
    flags: controllerManager,
  },
  { key: 'scheduler', title: 'Scheduler', command: '{prefix}-scheduler', flags: scheduler },
];
