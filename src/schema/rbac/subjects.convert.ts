/** Subjects of v1alpha1 name a version where the later versions name a group. */
import type { Names } from '../../names/index.ts';
import { rbac } from '../groups.ts';
import { groupOf } from '../values/apiVersion.ts';
import type { Subject, SubjectV1alpha1 } from './shared.ts';

interface Context {
  readonly names: Names;
}

type Binding<S> = { subjects?: S[] };

export function toHubFromAlpha(binding: Binding<SubjectV1alpha1>, { names }: Context): object {
  const group = names.fill(rbac.name);
  return { ...binding, subjects: binding.subjects?.map((subject) => upgrade(subject, group)) };
}

function upgrade({ apiVersion = '', ...subject }: SubjectV1alpha1, group: string): object {
  if (subject.kind === 'ServiceAccount') return subject;
  const isPerson = subject.kind === 'User' || subject.kind === 'Group';
  // In v1alpha1 the user `*` stood for everyone who has authenticated.
  if (subject.kind === 'User' && subject.name === '*')
    return { ...subject, kind: 'Group', name: 'system:authenticated', apiGroup: group };
  return { ...subject, apiGroup: isPerson ? group : groupOf(apiVersion) };
}

export function toAlphaFromHub(binding: Binding<Subject>, { names }: Context): object {
  return { ...binding, subjects: binding.subjects?.map((subject) => downgrade(subject, names)) };
}

function downgrade({ apiGroup, ...subject }: Subject, names: Names): object {
  if (subject.kind === 'ServiceAccount') return { ...subject, apiVersion: 'v1' };
  const isPerson = subject.kind === 'User' || subject.kind === 'Group';
  return { ...subject, apiVersion: isPerson ? names.fill(`${rbac.name}/v1alpha1`) : apiGroup };
}
