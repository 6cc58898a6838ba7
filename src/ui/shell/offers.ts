/** Whom one can act as, or ask about. */
import { useMemo } from 'react';
import type { ComboItem } from '../parts/index.ts';
import { useAccounts, useNodeNames } from '../stores/following.ts';
import {
  administrator,
  anonymous,
  identityOf,
  nameOfIdentity,
  useIdentity,
  type Identity,
} from '../stores/identity.ts';

export interface Offer extends ComboItem {
  readonly identity: Identity;
}

const offer = (identity: Identity, note: string): Offer => {
  const name = nameOfIdentity(identity);
  return { identity, note, value: name, label: name };
};

/** `jane dev ops`: a user's name, then groups. */
export function readUser(text: string): Identity {
  const [name = '', ...groups] = text.split(/[\s,]+/).filter(Boolean);
  return identityOf(name, groups);
}

/** Those of this session, then everybody whom the cluster knows by name. */
export function useOffers(): readonly Offer[] {
  const recent = useIdentity((state) => state.recent);
  const accounts = useAccounts();
  const nodes = useNodeNames();
  return useMemo(() => {
    const all = [
      offer(administrator, 'everything allowed'),
      ...recent.map((identity) => offer(identity, identity.kind === 'user' ? identity.groups.join(', ') : 'recent')),
      offer(anonymous, 'no credentials'),
      ...accounts.map((account) => offer({ kind: 'account', ...account }, 'service account')),
      ...nodes.map((name) => offer({ kind: 'node', name }, 'node')),
    ];
    const seen = new Set<string>();
    return all.filter(({ value }) => !seen.has(value) && seen.add(value));
  }, [recent, accounts, nodes]);
}
