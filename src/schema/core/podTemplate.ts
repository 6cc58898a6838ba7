import { opt } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { PodTemplateSpec } from './podSpec.ts';

export const PodTemplate = object('api.core.v1.PodTemplate', {
  template: opt(2, PodTemplateSpec),
});
export type PodTemplate = Infer<typeof PodTemplate>;
