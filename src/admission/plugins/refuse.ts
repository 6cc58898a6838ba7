import { status, type StatusError } from '../../schema/index.ts';
import type { AdmissionAttributes } from '../types.ts';

/** A plugin's refusal: 403 with the request's resource and name. */
export function refuse({ resource, name, object }: AdmissionAttributes, why: string): StatusError {
  const shown = name !== '' ? name : (object?.metadata.name ?? object?.metadata.generateName ?? 'Unknown');
  return status.forbidden({ group: resource.group, resource: resource.resource }, shown, why);
}
