/** All API groups; their order in discovery follows from their priorities. */
import { group } from './define/index.ts';

export const core = group('', {
  versions: ['v1'],
  versionPriorities: { v1: 1 },
  priority: 18000,
});
export const extensions = group('extensions', {
  versions: ['v1beta1'],
  versionPriorities: { v1beta1: 1 },
  priority: 17150,
});
export const apps = group('apps', {
  versions: ['v1'],
  versionPriorities: { v1: 15 },
  priority: 17800,
});
export const eventsGroup = group('events.{domain}', {
  versions: ['v1', 'v1beta1'],
  versionPriorities: { v1: 15, v1beta1: 5 },
  priority: 17750,
});
export const authentication = group('authentication.{domain}', {
  versions: ['v1', 'v1beta1'],
  versionPriorities: { v1: 15, v1beta1: 9 },
  priority: 17700,
});
export const authorization = group('authorization.{domain}', {
  versions: ['v1', 'v1beta1'],
  versionPriorities: { v1: 15, v1beta1: 9 },
  priority: 17600,
});
export const autoscaling = group('autoscaling', {
  versions: ['v1', 'v2beta1', 'v2beta2'],
  versionPriorities: { v1: 15, v2beta1: 9, v2beta2: 1 },
  priority: 17500,
});
export const batch = group('batch', {
  versions: ['v1', 'v1beta1', 'v2alpha1'],
  versionPriorities: { v1: 15, v1beta1: 9, v2alpha1: 9 },
  priority: 17400,
  off: ['v2alpha1'],
});
export const certificates = group('certificates.{domain}', {
  versions: ['v1', 'v1beta1'],
  versionPriorities: { v1: 15, v1beta1: 9 },
  priority: 17300,
});
export const networking = group('networking.{domain}', {
  versions: ['v1', 'v1beta1'],
  versionPriorities: { v1: 15, v1beta1: 9 },
  priority: 17200,
});
export const policy = group('policy', {
  versions: ['v1beta1'],
  versionPriorities: { v1beta1: 9 },
  priority: 17100,
});
export const rbac = group('rbac.authorization.{domain}', {
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  versionPriorities: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  priority: 17000,
  off: ['v1alpha1'],
});
export const storage = group('storage.{domain}', {
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  versionPriorities: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  priority: 16800,
  off: ['v1alpha1'],
});
export const admissionregistration = group('admissionregistration.{domain}', {
  versions: ['v1', 'v1beta1'],
  versionPriorities: { v1: 15, v1beta1: 12 },
  priority: 16700,
});
export const apiextensions = group('apiextensions.{domain}', {
  versions: ['v1', 'v1beta1'],
  versionPriorities: { v1: 15, v1beta1: 9 },
  priority: 16700,
});
export const scheduling = group('scheduling.{domain}', {
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  versionPriorities: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  priority: 16600,
  off: ['v1alpha1'],
});
export const coordination = group('coordination.{domain}', {
  versions: ['v1', 'v1beta1'],
  versionPriorities: { v1: 15, v1beta1: 9 },
  priority: 16500,
});
export const node = group('node.{domain}', {
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  versionPriorities: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  priority: 16300,
  off: ['v1alpha1'],
});
export const discovery = group('discovery.{domain}', {
  versions: ['v1beta1'],
  versionPriorities: { v1beta1: 12 },
  priority: 16200,
});
export const flowcontrol = group('flowcontrol.apiserver.{domain}', {
  versions: ['v1beta1', 'v1alpha1'],
  versionPriorities: { v1beta1: 12, v1alpha1: 9 },
  priority: 16100,
  off: ['v1alpha1'],
});
export const internal = group('internal.apiserver.{domain}', {
  versions: ['v1alpha1'],
  versionPriorities: { v1alpha1: 9 },
  priority: 16000,
  off: ['v1alpha1'],
});
export const imagepolicy = group('imagepolicy.{domain}', {
  versions: ['v1alpha1'],
  versionPriorities: { v1alpha1: 9 },
  priority: 15900,
  off: ['v1alpha1'],
});
export const apiregistration = group('apiregistration.{domain}', {
  versions: ['v1', 'v1beta1'],
  versionPriorities: { v1: 20, v1beta1: 10 },
  priority: 20000,
});
