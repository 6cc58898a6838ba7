/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type {
  ServiceBackendPort,
  IngressServiceBackend,
  IngressBackend,
  HTTPIngressPath,
  HTTPIngressRuleValue,
  IngressRule,
  IngressTLS,
  IngressSpec,
  IngressStatus,
  Ingress,
  IngressBackendV1beta1,
  HTTPIngressPathV1beta1,
  HTTPIngressRuleValueV1beta1,
  IngressRuleV1beta1,
  IngressTLSV1beta1,
  IngressSpecV1beta1,
  IngressV1beta1,
} from './ingress.ts';
export type { IngressClassSpec, IngressClass } from './ingressClass.ts';
export type {
  IPBlock,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicyIngressRule,
  NetworkPolicyEgressRule,
  NetworkPolicySpec,
  NetworkPolicy,
} from './networkPolicy.ts';
