/** Columns of ingresses, their classes and network policies. */
import { balancerText } from '../core/service.columns.ts';
import type { Column } from '../define/index.ts';
import { age, name, selectorCell, text } from '../meta/columns.ts';
import type { Ingress } from './ingress.ts';
import type { IngressClass } from './ingressClass.ts';
import type { NetworkPolicy } from './networkPolicy.ts';

export const ingressColumns: readonly Column<Ingress>[] = [
  name,
  text('Class', 'Class that serves the ingress.', ({ spec }) => spec.ingressClassName ?? '<none>'),
  text('Hosts', 'Hosts for which there are rules.', hosts),
  text('Address', 'Where the ingress can be reached.', ({ status }) => balancerText(status.loadBalancer)),
  text('Ports', 'Ports on which the ingress listens.', ({ spec }) => (spec.tls ? '80, 443' : '80')),
  age,
];

const SHOWN = 3;

/** What is beyond the first hosts is counted by rules, with or without a host. */
function hosts({ spec: { rules = [] } }: Ingress): string {
  const named = rules.flatMap(({ host = '' }, at) => (host === '' ? [] : [{ host, at }])).slice(0, SHOWN);
  if (named.length === 0) return '*';
  const shown = named.map(({ host }) => host).join(',');
  const last = named[SHOWN - 1];
  return last && last.at < rules.length - 1 ? `${shown} + ${rules.length - SHOWN} more...` : shown;
}

export const ingressClassColumns: readonly Column<IngressClass>[] = [
  name,
  text('Controller', 'Controller that serves the class.', ({ spec }) => spec.controller ?? ''),
  text('Parameters', 'Object with further parameters of the controller.', ({ spec: { parameters } }) => {
    if (!parameters) return '<none>';
    const group = parameters.apiGroup ? `.${parameters.apiGroup}` : '';
    return `${parameters.kind}${group}/${parameters.name}`;
  }),
  age,
];

export const networkPolicyColumns: readonly Column<NetworkPolicy>[] = [
  name,
  text('Pod-Selector', 'Labels of the pods to which the policy applies.', ({ spec }) => selectorCell(spec.podSelector)),
  age,
];
