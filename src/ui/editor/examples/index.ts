/** Manifests to begin with. Words in braces are the naming profile's. */
import type { Names } from '../../../names/index.ts';
import access from './access.yaml?raw';
import configMap from './configMap.yaml?raw';
import cronJob from './cronJob.yaml?raw';
import customResource from './customResource.yaml?raw';
import deployment from './deployment.yaml?raw';
import job from './job.yaml?raw';
import namespace from './namespace.yaml?raw';
import networkPolicy from './networkPolicy.yaml?raw';
import pod from './pod.yaml?raw';
import quota from './quota.yaml?raw';
import secret from './secret.yaml?raw';
import service from './service.yaml?raw';

export interface Example {
  readonly title: string;
  readonly about: string;
  /** The kinds for which it is the beginning that is offered. */
  readonly kinds: readonly string[];
  readonly text: string;
}

export const examples: readonly Example[] = [
  { title: 'Deployment', about: 'three pods of nginx', kinds: ['Deployment'], text: deployment },
  { title: 'Pod', about: 'one container', kinds: ['Pod'], text: pod },
  { title: 'Service', about: 'in front of the deployment', kinds: ['Service'], text: service },
  { title: 'Job', about: 'three runs, one after the other', kinds: ['Job'], text: job },
  { title: 'CronJob', about: 'a job each minute', kinds: ['CronJob'], text: cronJob },
  { title: 'ConfigMap', about: 'plain settings', kinds: ['ConfigMap'], text: configMap },
  { title: 'Secret', about: 'values that are kept apart', kinds: ['Secret'], text: secret },
  { title: 'Namespace', about: 'a room of its own', kinds: ['Namespace'], text: namespace },
  {
    title: 'Role and binding',
    about: 'an account that may read pods',
    kinds: ['Role', 'RoleBinding', 'ServiceAccount'],
    text: access,
  },
  { title: 'NetworkPolicy', about: 'who may reach whom', kinds: ['NetworkPolicy'], text: networkPolicy },
  {
    title: 'Quota and limits',
    about: 'how much a namespace may take',
    kinds: ['ResourceQuota', 'LimitRange'],
    text: quota,
  },
  { title: 'Custom resource', about: 'a kind of your own', kinds: ['CustomResourceDefinition'], text: customResource },
];

/** An example's text with the profile's names. */
export const textOfExample = (example: Example, names: Names): string => names.fill(example.text);

/** What to begin with for a kind: its example, or the bare frame of an object. */
export function beginningFor(kind: string, apiVersion: string, names: Names): string {
  const example = examples.find((each) => each.kinds.includes(kind));
  if (example) return textOfExample(example, names);
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: example\n`;
}
