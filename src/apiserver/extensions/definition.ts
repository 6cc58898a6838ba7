/** A stored definition of custom resources. */
import type { objects } from '../../schema/index.ts';

export type Definition = objects.CustomResourceDefinition;

export type Status = Definition['status'];

export type TimedCondition = NonNullable<Status['conditions']>[number];

/** Its transition time is set when it changes. */
export type Condition = Omit<TimedCondition, 'lastTransitionTime'> & Partial<TimedCondition>;
