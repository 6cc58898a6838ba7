import { always, list, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const TopologySelectorLabelRequirement = struct('api.core.v1.TopologySelectorLabelRequirement', {
  key: always(1, string),
  values: always(2, list(string)),
});
export type TopologySelectorLabelRequirement = Infer<typeof TopologySelectorLabelRequirement>;

export const TopologySelectorTerm = struct('api.core.v1.TopologySelectorTerm', {
  matchLabelExpressions: opt(1, list(TopologySelectorLabelRequirement)),
});
export type TopologySelectorTerm = Infer<typeof TopologySelectorTerm>;
