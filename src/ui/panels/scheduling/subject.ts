/** Whom a decision is about: a pod, or the pods that a Deployment would make. */
import { useMemo } from 'preact/compat';
import type { Deployment, Pod } from '../../../client/index.ts';
import { controllerOf, type ApiObject } from '../../../schema/index.ts';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { findResource, useResources } from '../../stores/resources.ts';

export interface Subject {
  readonly kind: 'pod' | 'deployment';
  /** `namespace/name`. */
  readonly name: string;
  /** The pod, or one as the Deployment's template says; undefined while it is on its way. */
  readonly pod: Pod | undefined;
  /** The object itself. */
  readonly object: ApiObject | undefined;
  readonly isMissing: boolean;
}

/** The subject, kept live. */
export function useSubject(kind: Subject['kind'], name: string): Subject {
  const [group, plural] = kind === 'pod' ? (['core', 'pods'] as const) : (['apps', 'deployments'] as const);
  const resource = useResources((state) => findResource(state.resources, group, plural));
  const [namespace = '', own = ''] = name.split('/');
  const live = useLiveObjects(resource && { resource, namespace, fieldSelector: `metadata.name=${own}` });
  const object = live.objects[0];
  const pod = useMemo(
    () => (object && kind === 'deployment' ? podOf(object as Deployment) : (object as Pod | undefined)),
    [object, kind],
  );
  return { kind, name, object, pod, isMissing: live.phase !== 'loading' && !object };
}

/** A pod as a Deployment's template says. */
function podOf({ metadata: { name = '', namespace = '' }, spec: { template } }: Deployment): Pod {
  const { labels = {} } = template.metadata ?? {};
  const metadata = { name, namespace, uid: `template-of-${name}`, labels, creationTimestamp: null };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec, status: {} };
}

export interface Owner {
  readonly kind: string;
  readonly name: string;
}

/** What made an object, where something did. */
export function ownerOf(object: ApiObject | undefined): Owner | undefined {
  const owner = object && controllerOf(object);
  return owner && { kind: owner.kind, name: owner.name };
}
