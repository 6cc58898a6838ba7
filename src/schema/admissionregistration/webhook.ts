import { always, bytes, inline, int32, list, opt, ptr, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const ServiceReference = struct(
  'api.admissionregistration.v1.ServiceReference',
  {
    namespace: always(1, string, { doc: 'Namespace of the service.' }),
    name: always(2, string, { doc: 'Name of the service.' }),
    path: ptr(3, string, { doc: 'Path of the webhook; `/` by default.' }),
    port: ptr(4, int32, { default: 443, doc: 'Port of the service; 443 by default.' }),
  },
  { doc: 'A service in front of a webhook.' },
);
export type ServiceReference = Infer<typeof ServiceReference>;

export const WebhookClientConfig = struct(
  'api.admissionregistration.v1.WebhookClientConfig',
  {
    url: ptr(3, string, { doc: 'Address of a webhook outside the cluster; instead of service.' }),
    service: ptr(1, ServiceReference, { doc: 'Service in front of a webhook inside the cluster; instead of url.' }),
    caBundle: opt(2, bytes, { doc: "Certificates that sign the webhook's own, in PEM and base64." }),
  },
  { doc: 'Where a webhook is, and how to trust it.' },
);
export type WebhookClientConfig = Infer<typeof WebhookClientConfig>;

const Rule = {
  fields: {
    apiGroups: opt(1, list(string), { doc: 'Groups of the resources; `*` stands for all.' }),
    apiVersions: opt(2, list(string), { doc: 'Versions of the resources; `*` stands for all.' }),
    resources: opt(3, list(string), {
      doc: 'Resources, and parts of them as `pods/status`; `*` stands for all resources, `*/*` for all parts, too.',
    }),
    scope: ptr(4, string, { default: '*', doc: '`Cluster`, `Namespaced` or `*`.' }),
  },
};

export const RuleWithOperations = struct(
  'api.admissionregistration.v1.RuleWithOperations',
  {
    operations: opt(1, list(string), { doc: '`CREATE`, `UPDATE`, `DELETE`, `CONNECT`, or `*` for all.' }),
    ...inline(2, Rule),
  },
  { doc: 'Requests for which a webhook is called.' },
);
export type RuleWithOperations = Infer<typeof RuleWithOperations>;
