import { status, type StatusError } from '../../schema/index.ts';
import type { AdmissionAttributes } from '../types.ts';

/** The refusal of a request by a plugin: 403 about the resource and name that it names. */
export function refuse({ resource, name, object }: AdmissionAttributes, why: string): StatusError {
  const shown = name !== '' ? name : (object?.metadata.name ?? object?.metadata.generateName ?? 'Unknown');
  return status.forbidden({ group: resource.group, resource: resource.resource }, shown, why);
}
