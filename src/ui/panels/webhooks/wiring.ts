/** How a component comes to ask a webhook by itself: by flags, and files that they name. */
import type { Names } from '../../../names/index.ts';
import type { WebhookExample } from './examples.ts';

export interface Wiring {
  readonly component: 'apiserver' | 'scheduler';
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

type Example = Pick<WebhookExample, 'askedBy' | 'name'>;

/** Undefined for a webhook that objects of the cluster name. */
export function wiringOf({ askedBy, name }: Example, namespace: string, names: Names): Wiring | undefined {
  const component = 'apiserver';
  const file = `webhooks/${name}.yaml`;
  const files = { [file]: kubeconfig(name, namespace) };
  if (askedBy === 'scheduler') return asExtender(name, namespace, names);
  if (askedBy === 'authentication')
    return { component, flags: [`--authentication-token-webhook-config-file=${file}`], files };
  if (askedBy === 'authorization')
    return {
      ...{ component, files },
      flags: ['--authorization-mode=Node,RBAC,Webhook', `--authorization-webhook-config-file=${file}`],
    };
  return askedBy === 'images' ? asImagePolicy(file, files, names) : undefined;
}

function asImagePolicy(file: string, files: Wiring['files'], { fill }: Names): Wiring {
  const control = 'webhooks/admission.yaml';
  const plugins = [
    { name: 'ImagePolicyWebhook', configuration: { imagePolicy: { kubeConfigFile: file, defaultAllow: false } } },
  ];
  const apiVersion = fill('apiserver.config.{domain}/v1');
  return {
    component: 'apiserver',
    flags: [
      fill('--runtime-config=imagepolicy.{domain}/v1alpha1=true'),
      '--enable-admission-plugins=ImagePolicyWebhook',
      `--admission-control-config-file=${control}`,
    ],
    files: { ...files, [control]: JSON.stringify({ apiVersion, kind: 'AdmissionConfiguration', plugins }, null, 2) },
  };
}

function asExtender(name: string, namespace: string, { fill }: Names): Wiring {
  const file = 'webhooks/scheduler.yaml';
  const extender = {
    urlPrefix: addressOf(name, namespace),
    ...{ filterVerb: 'filter', prioritizeVerb: 'prioritize', weight: 1 },
    ...{ enableHTTPS: true, tlsConfig: { caFile: AUTHORITY } },
  };
  const apiVersion = fill('kubescheduler.config.{domain}/v1beta1');
  const configuration = { apiVersion, kind: 'KubeSchedulerConfiguration', extenders: [extender] };
  return {
    component: 'scheduler',
    flags: [`--config=${file}`],
    files: { [file]: JSON.stringify(configuration, null, 2) },
  };
}

/** Paths are names among the cluster's files; its authority's certificate is one of them. */
const AUTHORITY = 'pki/ca.crt';
const addressOf = (name: string, namespace: string): string => `https://${name}.${namespace}.svc/`;

const kubeconfig = (name: string, namespace: string): string => `apiVersion: v1
kind: Config
clusters:
  - name: webhook
    cluster:
      server: ${addressOf(name, namespace)}
      certificate-authority: ${AUTHORITY}
contexts:
  - name: webhook
    context: { cluster: webhook }
current-context: webhook
`;
