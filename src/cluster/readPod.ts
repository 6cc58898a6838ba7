import type { objects, Scheme } from '../schema/index.ts';
import { must } from '../std/index.ts';

/** Reads pods that somebody wrote and no API server has seen, and fills in the defaults of their version. Throws DecodeError. */
export function podReader(scheme: Scheme): (raw: unknown) => objects.Pod {
  return (raw) => {
    const resource = must(scheme.byKind({ group: '', version: 'v1', kind: 'Pod' }), 'pods are always served');
    const pod = scheme.decode(resource.node, raw, 'sent') as objects.Pod;
    scheme.applyDefaults(resource, pod);
    return pod;
  };
}
