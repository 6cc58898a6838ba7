/** How resource types are grouped in the list: by what people look for, custom ones under their own group. */
import { getOwn } from '../../../std/index.ts';
import type { Resource } from '../../stores/resources.ts';

export interface Section {
  readonly title: string;
  readonly resources: readonly Resource[];
}

const coreSections: Readonly<Record<string, string>> = {
  pods: 'Workloads',
  podtemplates: 'Workloads',
  replicationcontrollers: 'Workloads',
  services: 'Network',
  endpoints: 'Network',
  configmaps: 'Configuration',
  secrets: 'Configuration',
  limitranges: 'Configuration',
  resourcequotas: 'Configuration',
  serviceaccounts: 'Access',
  persistentvolumes: 'Storage',
  persistentvolumeclaims: 'Storage',
  componentstatuses: 'Control plane',
};

/** By the first word of the group: the rest depends on the naming profile. */
const groupSections: Readonly<Record<string, string>> = {
  apps: 'Workloads',
  batch: 'Workloads',
  autoscaling: 'Workloads',
  policy: 'Workloads',
  networking: 'Network',
  discovery: 'Network',
  extensions: 'Network',
  rbac: 'Access',
  certificates: 'Access',
  storage: 'Storage',
  node: 'Cluster',
  coordination: 'Cluster',
  scheduling: 'Cluster',
  events: 'Cluster',
  admissionregistration: 'Control plane',
  apiextensions: 'Control plane',
  apiregistration: 'Control plane',
  flowcontrol: 'Control plane',
};

const ORDER = ['Workloads', 'Network', 'Configuration', 'Storage', 'Access', 'Cluster', 'Control plane'];

/** Resources that most people look for first stand first in their section; the others follow by name. */
const FIRST = [
  'pods',
  'deployments',
  'replicasets',
  'statefulsets',
  'daemonsets',
  'jobs',
  'cronjobs',
  'services',
  'namespaces',
  'nodes',
];

const weight = (resource: Resource): number => {
  const place = FIRST.indexOf(resource.resource);
  return place < 0 ? FIRST.length : place;
};

// The reference's own groups end in its domain; those of definitions end in whatever their authors own.
function sectionOf(resource: Resource, domain: string): string {
  if (resource.group === '') return getOwn(coreSections, resource.resource) ?? 'Cluster';
  const own = !resource.group.includes('.') || resource.group.endsWith(`.${domain}`);
  const [first = ''] = resource.group.split('.');
  return (own ? getOwn(groupSections, first) : undefined) ?? resource.group;
}

/** The listable resources in sections; core events stand for both views of them. */
export function sectionsOf(resources: readonly Resource[], domain: string): readonly Section[] {
  const sections = new Map<string, Resource[]>(ORDER.map((title) => [title, []]));
  for (const resource of resources) {
    if (!resource.verbs.includes('list') || isSecondView(resource, domain)) continue;
    const title = sectionOf(resource, domain);
    const section = sections.get(title) ?? [];
    section.push(resource);
    sections.set(title, section);
  }
  return [...sections]
    .filter(([, list]) => list.length > 0)
    .map(([title, list]) => ({
      title,
      resources: list.sort((a, b) => weight(a) - weight(b) || (a.kind < b.kind ? -1 : 1)),
    }));
}

/** The same objects under another group: Events, and Ingresses under extensions. */
function isSecondView({ group, resource }: Resource, domain: string): boolean {
  return (
    (group === `events.${domain}` && resource === 'events') || (group === 'extensions' && resource === 'ingresses')
  );
}
