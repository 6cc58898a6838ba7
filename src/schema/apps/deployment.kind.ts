import { kind } from '../define/index.ts';
import { apps } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { Deployment } from './deployment.ts';

export const deployments = kind(Deployment, {
  group: apps,
  kind: 'Deployment',
  resource: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  doc: 'Declares a set of equal pods and rolls changes of their template out step by step.',
  versions: [{ version: 'v1', type: Deployment }],
  rules: workloads.of('deploymentRules'),
  blank: { spec: { replicas: 0 } },
  status: true,
  scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', selector: '.spec.selector' },
  columns: tables.of('deploymentColumns'),
});
