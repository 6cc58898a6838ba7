import type { Pod } from '../client/index.ts';
import type { Scheme } from '../schema/index.ts';
import { must } from '../std/index.ts';

/** Decodes user-written pods that no API server has seen, with the defaults of their version. Throws DecodeError. */
export function podReader(scheme: Scheme): (raw: unknown) => Pod {
  return (raw) => {
    const resource = must(scheme.byKind({ group: '', version: 'v1', kind: 'Pod' }), 'pods are always served');
    const pod = scheme.decode(resource.node, raw, 'sent') as Pod;
    scheme.applyDefaults(resource, pod);
    return pod;
  };
}
