/** A definition of custom resources, as it is stored. */
import type { objects } from '../../schema/index.ts';

export type Definition = objects.CustomResourceDefinition;

export type Status = Definition['status'];

export type TimedCondition = NonNullable<Status['conditions']>[number];

/** Its time is set when it changes. */
export type Condition = Omit<TimedCondition, 'lastTransitionTime'> & Partial<TimedCondition>;
