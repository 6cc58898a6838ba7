/** The kinds that `create` makes from flags. */
import type { Command } from '../../command/command.ts';
import { clusterRole, clusterRoleBinding, role, roleBinding } from './access.ts';
import { configMap, namespace, priorityClass, quota, secret, serviceAccount } from './config.ts';
import { ingress, service } from './services.ts';
import { cronJob, deployment, job, podDisruptionBudget } from './workloads.ts';

export const generators: readonly Command[] = [
  ...[clusterRole, clusterRoleBinding, configMap, cronJob, deployment, ingress, job, namespace],
  ...[podDisruptionBudget, priorityClass, quota, role, roleBinding, secret, service, serviceAccount],
];
