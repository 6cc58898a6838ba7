import { always, list, map, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const LabelSelectorRequirement = struct('apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement', {
  key: always(1, string, { mergeKey: 'key', strategy: 'merge' }),
  operator: always(2, string),
  values: opt(3, list(string)),
});
export type LabelSelectorRequirement = Infer<typeof LabelSelectorRequirement>;

export const LabelSelector = struct(
  'apimachinery.pkg.apis.meta.v1.LabelSelector',
  {
    matchLabels: opt(1, map(string)),
    matchExpressions: opt(2, list(LabelSelectorRequirement)),
  },
  { map: 'atomic' },
);
export type LabelSelector = Infer<typeof LabelSelector>;
