/** Seccomp profiles in their two forms: as fields, and as the annotations that came before the fields. */
import { getOwn, setOwn } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import type { PodSpec } from './podSpec.ts';
import type { SeccompProfile } from './securityContext.ts';

const LOCALHOST = 'localhost/';

/** Keys of the annotations that hold the profile of a pod and of each container. */
export function seccompKeys(names: Names): {
  readonly pod: string;
  readonly containerPrefix: string;
  readonly container: (name: string) => string;
} {
  const containerPrefix = names.fill('container.seccomp.security.alpha.{label}/');
  return {
    pod: names.fill('seccomp.security.alpha.{label}/pod'),
    containerPrefix,
    container: (name) => containerPrefix + name,
  };
}

/** The field for an annotation; undefined for an unknown annotation. */
export function seccompFromAnnotation(annotation: string): SeccompProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default' || annotation === 'docker/default') return { type: 'RuntimeDefault' };
  if (annotation.startsWith(LOCALHOST) && annotation !== LOCALHOST)
    return { type: 'Localhost', localhostProfile: annotation.slice(LOCALHOST.length) };
  return undefined;
}

/** The annotation for a field; undefined for an empty field. */
export function seccompAnnotationOf({ type, localhostProfile }: Partial<SeccompProfile> = {}): string | undefined {
  if (type === 'Unconfined') return 'unconfined';
  if (type === 'RuntimeDefault') return 'runtime/default';
  return type === 'Localhost' && localhostProfile !== undefined ? LOCALHOST + localhostProfile : undefined;
}

interface Annotated {
  metadata: { annotations?: Record<string, string> };
  spec?: PodSpec;
}

interface Holder {
  securityContext?: { seccompProfile?: SeccompProfile };
}

/** Writes each profile in the form in which a new pod lacks it, so that old and new node agents read the same. */
export function synchronizeSeccomp(pod: Annotated, names: Names): void {
  if (!pod.spec) return;
  const keys = seccompKeys(names);
  synchronize(pod, pod.spec, keys.pod);
  for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])])
    synchronize(pod, container, keys.container(container.name));
}

function synchronize(pod: Annotated, holder: Holder, key: string): void {
  const annotation = getOwn(pod.metadata.annotations, key);
  const profile = holder.securityContext?.seccompProfile;
  if (profile && annotation === undefined) {
    const text = seccompAnnotationOf(profile);
    if (text !== undefined) setOwn((pod.metadata.annotations ??= {}), key, text);
  } else if (annotation !== undefined && !profile) {
    const made = seccompFromAnnotation(annotation);
    if (made) (holder.securityContext ??= {}).seccompProfile = made;
  }
}
