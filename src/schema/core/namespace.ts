import { always, list, opt, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const NamespaceCondition = struct(
  'api.core.v1.NamespaceCondition',
  {
    type: always(1, string, { doc: 'What holds.' }),
    status: always(2, string, { doc: '`True`, `False` or `Unknown`.' }),
    lastTransitionTime: opt(4, time, { doc: 'When the status last changed.' }),
    reason: opt(5, string, { doc: 'Why, in one word.' }),
    message: opt(6, string, { doc: 'Why, in words.' }),
  },
  { doc: 'Something that holds of a namespace.' },
);
export type NamespaceCondition = Infer<typeof NamespaceCondition>;

export const NamespaceSpec = struct(
  'api.core.v1.NamespaceSpec',
  {
    finalizers: opt(1, list(string), { doc: 'Who has to clean up before the namespace may go.' }),
  },
  { doc: 'What is wanted of a namespace.' },
);
export type NamespaceSpec = Infer<typeof NamespaceSpec>;

export const NamespaceStatus = struct(
  'api.core.v1.NamespaceStatus',
  {
    phase: opt(1, string, { default: 'Active', doc: '`Active`, or `Terminating` while its objects are deleted.' }),
    conditions: opt(2, list(NamespaceCondition), {
      mergeKey: 'type',
      strategy: 'merge',
      doc: 'What the namespace controller has found in deleting.',
    }),
  },
  { doc: 'How a namespace is.' },
);
export type NamespaceStatus = Infer<typeof NamespaceStatus>;

export const Namespace = object('api.core.v1.Namespace', {
  spec: opt(2, NamespaceSpec, { doc: 'What is wanted of the namespace.' }),
  status: opt(3, NamespaceStatus, { doc: 'What is the case.' }),
});
export type Namespace = Infer<typeof Namespace>;
