/** The users that a binding's subject matches. */
import type { UserInfo } from '../../authn/index.ts';
import type { Subject } from './types.ts';

const USER = 'U:';
const GROUP = 'G:';
const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';

/** The case-insensitive form for comparing subject names (specification, RoleBinding). */
function foldName(name: string): string {
  return name.toLowerCase();
}

/** The user name of a service account. */
function serviceAccountUsername(namespace: string, name: string): string {
  return `${SERVICE_ACCOUNT_PREFIX}${namespace}:${name}`;
}

/** All subject keys of a user: its name first, then its groups. */
export function keysOfUser(user: UserInfo): readonly string[] {
  const keys = [USER + foldName(user.name)];
  for (const group of user.groups) keys.push(GROUP + foldName(group));
  return keys;
}

/** The index key of a subject, or its error (specification, Errors 2). */
export type SubjectKey = { readonly key: string } | { readonly problem: string };

/** `bindingNamespace` is the default namespace of a service account; empty for a ClusterRoleBinding. */
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

/** A subject in the wording of the reference's reasons. */
export function describeSubject(subject: Subject, bindingNamespace: string): string {
  if (subject.kind !== 'ServiceAccount') return `${subject.kind} ${JSON.stringify(subject.name)}`;
  return `${subject.kind} ${JSON.stringify(`${subject.name}/${subject.namespace || bindingNamespace}`)}`;
}
