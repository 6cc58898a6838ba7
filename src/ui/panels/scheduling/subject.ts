/** Whom a decision is about: a pod, or the pods that a Deployment would make. */
import { useMemo } from 'react';
import type { ApiObject } from '../../../schema/index.ts';
import { asRecord, at } from '../../stores/jsonValues.ts';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { findResource, useResources } from '../../stores/resources.ts';

export interface Subject {
  readonly kind: 'pod' | 'deployment';
  /** `namespace/name`. */
  readonly name: string;
  /** The pod, or one as the Deployment's template says; undefined while it is on its way. */
  readonly pod: ApiObject | undefined;
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
  const pod = useMemo(() => (object && kind === 'deployment' ? podOf(object) : object), [object, kind]);
  return { kind, name, object, pod, isMissing: live.phase !== 'loading' && !object };
}

/** A pod as a Deployment's template says. */
function podOf(deployment: ApiObject): ApiObject {
  const { name = '', namespace = '' } = deployment.metadata;
  const template = at(deployment, 'spec', 'template');
  const labels = asRecord(at(template, 'metadata', 'labels')) as Record<string, string>;
  const metadata = { name, namespace, uid: `template-of-${name}`, labels, creationTimestamp: null };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: asRecord(at(template, 'spec')), status: {} };
}

export interface Owner {
  readonly kind: string;
  readonly name: string;
}

/** What made an object, where something did. */
export function ownerOf(object: ApiObject | undefined): Owner | undefined {
  const owner = object?.metadata.ownerReferences?.find(({ controller }) => controller);
  return owner && { kind: owner.kind, name: owner.name };
}
