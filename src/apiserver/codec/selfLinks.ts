/** Links from objects and lists to themselves, for clusters that still have them (the gate RemoveSelfLink is off). */
import type { ApiObject, ObjectMeta } from '../../schema/index.ts';
import type { RequestContext } from '../context.ts';
import type { ObjectAnswer } from './answer.ts';
import type { View } from './views.ts';

/** An answer whose objects and lists tell where they are; as it is where the gate is on. */
export function withSelfLinks(context: RequestContext, answer: ObjectAnswer): ObjectAnswer {
  if (context.server.gate('RemoveSelfLink')) return answer;
  const link = linker(context);
  if (answer.type === 'object') return { ...answer, view: (resource) => link(answer.view(resource)) };
  const metadata = { selfLink: context.info.path, ...answer.metadata };
  return { ...answer, metadata, views: (resource) => answer.views(resource).map(link) };
}

/** Makes views that tell where their objects are, in the version of the request. */
export function linker({ server, info }: RequestContext): (view: View) => View {
  const { group, version, resource, subresource } = info;
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const suffix = subresource === '' ? '' : `/${subresource}`;
  return (view) => {
    const { name = '', namespace = '' } = view.object.metadata ?? {};
    if (name === '') return view;
    const place = namespace === '' ? '' : `/namespaces/${namespace}`;
    return server.views.fresh(
      linked(view.object, `${prefix}${place}/${resource}/${encodeURIComponent(name)}${suffix}`),
    );
  };
}

/** A copy with the link at the place where the field belongs. */
function linked(object: ApiObject, selfLink: string): ApiObject {
  const { name, generateName, namespace, ...rest } = object.metadata;
  const first = Object.entries({ name, generateName, namespace }).filter(([, value]) => value !== undefined);
  return { ...object, metadata: { ...Object.fromEntries(first), selfLink, ...rest } as ObjectMeta };
}
