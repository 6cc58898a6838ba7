/** Audit metrics. */
import { counter } from '../std/index.ts';

export const auditEvents = counter('apiserver_audit_event_total', 'Audit events that were made.');
export const auditErrors = counter('apiserver_audit_error_total', 'Audit events that were lost, by backend.', [
  'plugin',
]);
export const auditLevels = counter('apiserver_audit_level_total', 'Requests, by how much the policy records of them.', [
  'level',
]);
export const auditRejections = counter(
  'apiserver_audit_requests_rejected_total',
  'Requests that were refused because their first audit event could not be kept.',
);

export const auditFamilies = [auditEvents, auditErrors, auditLevels, auditRejections];
