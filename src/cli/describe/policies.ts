/** Policies on pods: disruption budgets and priorities. */
import { podDisruptionBudgets, priorityClasses } from '../../client/index.ts';
import { labelSelectorText } from '../../schema/index.ts';
import { describer, type Describer } from './describer.ts';
import { field, indent, labelsInLine, nameAlone, names, NONE, UNSET } from './lines.ts';

const disruptionBudgetDescriber = describer(podDisruptionBudgets, (budget) => {
  const { spec, status } = budget;
  const { minAvailable, maxUnavailable } = spec;
  const bound =
    minAvailable !== undefined && minAvailable !== null
      ? [field('Min available', minAvailable)]
      : maxUnavailable !== undefined && maxUnavailable !== null
        ? [field('Max unavailable', maxUnavailable)]
        : [];
  return [
    ...names(budget),
    ...bound,
    field('Selector', spec.selector ? labelSelectorText(spec.selector) || NONE : UNSET),
    'Status:',
    ...indent(2, [
      field('Allowed disruptions', status.disruptionsAllowed),
      field('Current', status.currentHealthy),
      field('Desired', status.desiredHealthy),
      field('Total', status.expectedPods),
    ]),
  ];
});

const priorityClassDescriber = describer(priorityClasses, (object) => [
  nameAlone(object),
  field('Value', object.value),
  field('GlobalDefault', object.globalDefault ?? false),
  field('Description', object.description ?? ''),
  field('Annotations', labelsInLine(object.metadata.annotations)),
]);

export const policyDescribers: readonly Describer[] = [disruptionBudgetDescriber, priorityClassDescriber];
