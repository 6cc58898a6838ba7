/** Who a subject of a binding stands for. */
import type { UserInfo } from '../../authn/index.ts';
import type { Subject } from './types.ts';

const USER = 'U:';
const GROUP = 'G:';
const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';

/** The form in which names of subjects are compared: without regard to case (specification, RoleBinding). */
function foldName(name: string): string {
  return name.toLowerCase();
}

/** The name under which a service account acts. */
function serviceAccountUsername(namespace: string, name: string): string {
  return `${SERVICE_ACCOUNT_PREFIX}${namespace}:${name}`;
}

/** All keys under which bindings may speak of this user: its name first, then its groups. */
export function keysOfUser(user: UserInfo): readonly string[] {
  const keys = [USER + foldName(user.name)];
  for (const group of user.groups) keys.push(GROUP + foldName(group));
  return keys;
}

/** What indexes a subject, or what is wrong with it (specification, Errors 2). */
export type SubjectKey = { readonly key: string } | { readonly problem: string };

/** `bindingNamespace` is where a service account lives that says no namespace; empty for a ClusterRoleBinding. */
export function keyOfSubject(subject: Subject, bindingNamespace: string): SubjectKey {
  switch (subject.kind) {
    case 'User':
    case 'Group':
      if (subject.namespace)
        return { problem: `${describeSubject(subject, bindingNamespace)} must not have a namespace` };
      return { key: (subject.kind === 'User' ? USER : GROUP) + foldName(subject.name) };
    case 'ServiceAccount': {
      const namespace = subject.namespace || bindingNamespace;
      if (namespace === '') return { problem: `ServiceAccount ${JSON.stringify(subject.name)} has no namespace` };
      return { key: USER + foldName(serviceAccountUsername(namespace, subject.name)) };
    }
    default:
      return { problem: `unrecognized subject kind ${JSON.stringify(subject.kind)}` };
  }
}

/** A subject in the words of the reference's reasons. */
export function describeSubject(subject: Subject, bindingNamespace: string): string {
  if (subject.kind !== 'ServiceAccount') return `${subject.kind} ${JSON.stringify(subject.name)}`;
  return `${subject.kind} ${JSON.stringify(`${subject.name}/${subject.namespace || bindingNamespace}`)}`;
}
