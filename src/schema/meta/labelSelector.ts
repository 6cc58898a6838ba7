import { always, list, map, named, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const LabelSelectorRequirement = struct(
  'apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement',
  {
    key: always(1, string, { mergeKey: 'key', strategy: 'merge', doc: 'Key of the label.' }),
    operator: always(2, named('v1.LabelSelectorOperator', string), {
      doc: '`In`, `NotIn`, `Exists` or `DoesNotExist`.',
    }),
    values: opt(3, list(string), { doc: 'Values for `In` and `NotIn`; none for the other operators.' }),
  },
  { doc: 'A condition on a label.' },
);
export type LabelSelectorRequirement = Infer<typeof LabelSelectorRequirement>;

export const LabelSelector = struct(
  'apimachinery.pkg.apis.meta.v1.LabelSelector',
  {
    matchLabels: opt(1, map(string), { doc: 'Labels that objects have to have.' }),
    matchExpressions: opt(2, list(LabelSelectorRequirement), { doc: 'Conditions on labels.' }),
  },
  {
    map: 'atomic',
    doc: 'Selects objects by their labels: all conditions have to hold. An empty selector selects everything.',
  },
);
export type LabelSelector = Infer<typeof LabelSelector>;
