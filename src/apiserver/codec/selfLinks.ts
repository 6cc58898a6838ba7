/** Links of objects and lists to themselves, for clusters with the gate RemoveSelfLink off. */
import type { ApiObject, ObjectMeta } from '../../schema/index.ts';
import type { RequestContext } from '../context.ts';
import type { ObjectAnswer } from './answer.ts';
import type { View } from './views.ts';

/** Adds self links to an answer; returns it unchanged if the gate is on. */
export function withSelfLinks(context: RequestContext, answer: ObjectAnswer): ObjectAnswer {
  if (context.server.gate('RemoveSelfLink')) return answer;
  const link = linker(context);
  if (answer.type === 'object') return { ...answer, view: (resource) => link(answer.view(resource)) };
  const metadata = { selfLink: context.info.path, ...answer.metadata };
  return { ...answer, metadata, views: (resource) => answer.views(resource).map(link) };
}

/** Returns a function that adds self links to views, in the version of the request. */
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

/** A copy with the link at the position of the field. */
function linked(object: ApiObject, selfLink: string): ApiObject {
  const { name, generateName, namespace, ...rest } = object.metadata;
  const first = Object.entries({ name, generateName, namespace }).filter(([, value]) => value !== undefined);
  return { ...object, metadata: { ...Object.fromEntries(first), selfLink, ...rest } as ObjectMeta };
}
