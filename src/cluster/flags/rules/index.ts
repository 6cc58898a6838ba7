/** The validation rules of each component. To add one: write it in the component's file. */
import type { ComponentKey } from '../declarations/index.ts';
import { apiserverRules } from './apiserver.ts';
import { controllerManagerRules } from './controllerManager.ts';
import type { Rule } from './rule.ts';
import { schedulerRules } from './scheduler.ts';

export const rules: Readonly<Record<ComponentKey, readonly Rule[]>> = {
  apiserver: apiserverRules,
  controllerManager: controllerManagerRules,
  scheduler: schedulerRules,
};
