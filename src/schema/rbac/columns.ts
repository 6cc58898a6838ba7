/** Columns of bindings. */
import type { ApiObject, Column } from '../define/index.ts';
import { age, name, text, wide } from '../meta/columns.ts';
import type { RoleRef, Subject } from './shared.ts';

interface Binding {
  readonly metadata: ApiObject['metadata'];
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleRef;
}

const subjects =
  (kind: string, textOf: (subject: Subject) => string) =>
  (binding: Binding): string =>
    (binding.subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map(textOf)
      .join(', ');

export const bindingColumns: readonly Column<Binding>[] = [
  name,
  text('Role', 'Role that is granted.', ({ roleRef }: Binding) => `${roleRef.kind}/${roleRef.name}`),
  age,
  wide(
    'Users',
    'Users to whom it is granted.',
    subjects('User', (user) => user.name),
  ),
  wide(
    'Groups',
    'Groups to whom it is granted.',
    subjects('Group', (group) => group.name),
  ),
  wide(
    'ServiceAccounts',
    'Service accounts to whom it is granted.',
    subjects('ServiceAccount', (account) => `${account.namespace ?? ''}/${account.name}`),
  ),
];
