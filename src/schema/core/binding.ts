import { always } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { ObjectReference } from './references.ts';

export const Binding = object('api.core.v1.Binding', {
  target: always(2, ObjectReference),
});
export type Binding = Infer<typeof Binding>;
