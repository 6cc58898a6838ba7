import { always, atVersion, inline, int32, intOrString, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { LoadBalancerStatus } from '../core/loadBalancer.ts';
import { TypedLocalObjectReference } from '../core/references.ts';
import { object } from '../meta/object.ts';

export const ServiceBackendPort = struct('api.networking.v1.ServiceBackendPort', {
  name: opt(1, string),
  number: opt(2, int32),
});
export type ServiceBackendPort = Infer<typeof ServiceBackendPort>;

export const IngressServiceBackend = struct('api.networking.v1.IngressServiceBackend', {
  name: always(1, string),
  port: opt(2, ServiceBackendPort),
});
export type IngressServiceBackend = Infer<typeof IngressServiceBackend>;

export const IngressBackend = struct('api.networking.v1.IngressBackend', {
  service: ptr(4, IngressServiceBackend),
  resource: ptr(3, TypedLocalObjectReference),
});
export type IngressBackend = Infer<typeof IngressBackend>;

export const HTTPIngressPath = struct('api.networking.v1.HTTPIngressPath', {
  path: opt(1, string),
  pathType: ptr(3, string),
  backend: always(2, IngressBackend),
});
export type HTTPIngressPath = Infer<typeof HTTPIngressPath>;

export const HTTPIngressRuleValue = struct('api.networking.v1.HTTPIngressRuleValue', {
  paths: always(1, list(HTTPIngressPath), { list: 'atomic' }),
});
export type HTTPIngressRuleValue = Infer<typeof HTTPIngressRuleValue>;

const IngressRuleValue = {
  fields: {
    http: ptr(1, HTTPIngressRuleValue),
  },
};

export const IngressRule = struct('api.networking.v1.IngressRule', {
  host: opt(1, string),
  ...inline(2, IngressRuleValue),
});
export type IngressRule = Infer<typeof IngressRule>;

export const IngressTLS = struct('api.networking.v1.IngressTLS', {
  hosts: opt(1, list(string), { list: 'atomic' }),
  secretName: opt(2, string),
});
export type IngressTLS = Infer<typeof IngressTLS>;

export const IngressSpec = struct('api.networking.v1.IngressSpec', {
  ingressClassName: ptr(4, string),
  defaultBackend: ptr(1, IngressBackend),
  tls: opt(2, list(IngressTLS), { list: 'atomic' }),
  rules: opt(3, list(IngressRule), { list: 'atomic' }),
});
export type IngressSpec = Infer<typeof IngressSpec>;

export const IngressStatus = struct('api.networking.v1.IngressStatus', {
  loadBalancer: opt(1, LoadBalancerStatus),
});
export type IngressStatus = Infer<typeof IngressStatus>;

export const Ingress = object('api.networking.v1.Ingress', {
  spec: opt(2, IngressSpec),
  status: opt(3, IngressStatus),
});
export type Ingress = Infer<typeof Ingress>;

export const IngressBackendV1beta1 = struct('api.networking.v1beta1.IngressBackend', {
  serviceName: opt(1, string),
  servicePort: opt(2, intOrString),
  resource: ptr(3, TypedLocalObjectReference),
});
export type IngressBackendV1beta1 = Infer<typeof IngressBackendV1beta1>;

export const HTTPIngressPathV1beta1 = struct('api.networking.v1beta1.HTTPIngressPath', {
  path: opt(1, string),
  pathType: ptr(3, string, { default: 'ImplementationSpecific' }),
  backend: always(2, IngressBackendV1beta1),
});
export type HTTPIngressPathV1beta1 = Infer<typeof HTTPIngressPathV1beta1>;

export const HTTPIngressRuleValueV1beta1 = struct('api.networking.v1beta1.HTTPIngressRuleValue', {
  paths: always(1, list(HTTPIngressPathV1beta1)),
});
export type HTTPIngressRuleValueV1beta1 = Infer<typeof HTTPIngressRuleValueV1beta1>;

const IngressRuleValueV1beta1 = {
  fields: {
    http: ptr(1, HTTPIngressRuleValueV1beta1),
  },
};

export const IngressRuleV1beta1 = struct('api.networking.v1beta1.IngressRule', {
  host: opt(1, string),
  ...inline(2, IngressRuleValueV1beta1),
});
export type IngressRuleV1beta1 = Infer<typeof IngressRuleV1beta1>;

export const IngressTLSV1beta1 = struct('api.networking.v1beta1.IngressTLS', {
  hosts: opt(1, list(string)),
  secretName: opt(2, string),
});
export type IngressTLSV1beta1 = Infer<typeof IngressTLSV1beta1>;

export const IngressSpecV1beta1 = struct('api.networking.v1beta1.IngressSpec', {
  ingressClassName: ptr(4, string),
  backend: ptr(1, IngressBackendV1beta1),
  tls: opt(2, list(IngressTLSV1beta1)),
  rules: opt(3, list(IngressRuleV1beta1)),
});
export type IngressSpecV1beta1 = Infer<typeof IngressSpecV1beta1>;

export const IngressV1beta1 = object('api.networking.v1beta1.Ingress', {
  spec: opt(2, IngressSpecV1beta1),
  status: opt(3, atVersion(IngressStatus, 'v1beta1')),
});
export type IngressV1beta1 = Infer<typeof IngressV1beta1>;
