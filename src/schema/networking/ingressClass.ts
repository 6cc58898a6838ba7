import { atVersion, kind, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { TypedLocalObjectReference } from '../core/references.ts';
import { networking } from '../groups.ts';
import { object } from '../meta/object.ts';
import { policies, tables } from '../parts/index.ts';

export const IngressClassSpec = struct('api.networking.v1.IngressClassSpec', {
  controller: opt(1, string),
  parameters: ptr(2, TypedLocalObjectReference),
});
export type IngressClassSpec = Infer<typeof IngressClassSpec>;

export const IngressClass = object('api.networking.v1.IngressClass', {
  spec: opt(2, IngressClassSpec),
});
export type IngressClass = Infer<typeof IngressClass>;

export const ingressclasses = kind(IngressClass, {
  group: networking,
  kind: 'IngressClass',
  resource: 'ingressclasses',
  namespaced: false,
  doc: 'Names the controller that serves the ingresses of a class.',
  versions: [
    { version: 'v1', type: IngressClass },
    {
      version: 'v1beta1',
      type: atVersion(IngressClass, 'v1beta1'),
      deprecated: { since: 'v1.19', removed: 'v1.22', replacement: 'networking.{domain}/v1' },
    },
  ],
  rules: policies.of('ingressClassRules'),
  columns: tables.of('ingressClassColumns'),
});
