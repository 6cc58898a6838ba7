/** Asks the server whether somebody may do something. */
import type { Client } from '../../client/index.ts';
import type { AccessCheck } from './lesson.ts';
import { readPath } from './fields.ts';

export async function isAllowed(client: Client, check: AccessCheck): Promise<boolean> {
  const { user, groups = ['system:authenticated'], verb, subresource, namespace, name } = check;
  const dot = check.resource.indexOf('.');
  const [resource, group] =
    dot < 0 ? [check.resource, ''] : [check.resource.slice(0, dot), check.resource.slice(dot + 1)];
  const resourceAttributes = {
    ...{ verb, group, resource },
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
  const apiVersion = client.names.fill('authorization.{domain}/v1');
  const answer = await client.json(`/apis/${apiVersion}/subjectaccessreviews`, {
    method: 'POST',
    body: { apiVersion, kind: 'SubjectAccessReview', spec: { user, groups, resourceAttributes } },
  });
  return readPath(answer, 'status.allowed') === true;
}
