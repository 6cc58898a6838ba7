import { opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { TypedLocalObjectReference } from '../core/references.ts';
import { object } from '../meta/object.ts';

export const IngressClassSpec = struct('api.networking.v1.IngressClassSpec', {
  controller: opt(1, string),
  parameters: ptr(2, TypedLocalObjectReference),
});
export type IngressClassSpec = Infer<typeof IngressClassSpec>;

export const IngressClass = object('api.networking.v1.IngressClass', {
  spec: opt(2, IngressClassSpec),
});
export type IngressClass = Infer<typeof IngressClass>;
