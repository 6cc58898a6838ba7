/** Whom one can act as, or ask about. */
import { useEffect, useMemo, useState } from 'preact/compat';
import type { ComboItem } from '../parts/index.ts';
import { useAdministrator } from '../stores/clients.ts';
import { useAccounts, useNodeNames } from '../stores/following.ts';
import { useHeldKeys, type HeldKey } from '../stores/keyring.ts';
import {
  administrator,
  anonymous,
  identityOf,
  keyOfIdentity,
  nameOfIdentity,
  useIdentity,
  type Identity,
} from '../stores/identity.ts';

export interface Offer extends ComboItem {
  readonly identity: Identity;
}

const offer = (identity: Identity, note: string): Offer => ({
  identity,
  note,
  value: keyOfIdentity(identity),
  label: nameOfIdentity(identity),
});

/** The identity that a signed key proves. */
export const certified = ({ user, groups, id }: HeldKey): Identity => ({ kind: 'certificate', name: user, groups, id });

const notes: Readonly<Partial<Record<Identity['kind'], string>>> = {
  account: 'service account',
  node: 'node',
  token: 'by a token',
  certificate: 'by a certificate',
};

function noteOf(identity: Identity): string {
  return identity.kind === 'user' ? identity.groups.join(', ') : (notes[identity.kind] ?? '');
}

/** `jane dev ops`: a user's name, then groups. */
export function readUser(text: string): Identity {
  const [name = '', ...groups] = text.split(/[\s,]+/).filter(Boolean);
  return identityOf(name, groups);
}

/** Whom bindings name, as of when `wanted`. */
function useBound(wanted: boolean): readonly Identity[] {
  const client = useAdministrator();
  const [bound, setBound] = useState<readonly Identity[]>([]);
  useEffect(() => {
    if (!wanted) return undefined;
    let gone = false;
    void import('./boundSubjects.ts')
      .then(({ readBoundSubjects }) => readBoundSubjects(client))
      .then((found) => gone || setBound(found))
      .catch(() => undefined);
    return () => void (gone = true);
  }, [client, wanted]);
  return bound;
}

/** Those of this session, then everybody whom the cluster knows by name; `open` while somebody chooses. */
export function useOffers(open: boolean): readonly Offer[] {
  const bound = useBound(open);
  const recent = useIdentity((state) => state.recent);
  const accounts = useAccounts(open);
  const nodes = useNodeNames(open);
  const keys = useHeldKeys();
  return useMemo(() => {
    const all = [
      offer(administrator, 'everything allowed'),
      ...keys
        .filter(({ certificate }) => certificate !== undefined)
        .map((key) => offer(certified(key), 'by a certificate')),
      ...recent.map((identity) => offer(identity, noteOf(identity))),
      ...bound.map((identity) => offer(identity, noteOf(identity) || 'named by a binding')),
      offer(anonymous, 'no credentials'),
      ...accounts.map((account) => offer({ kind: 'account', ...account }, 'service account')),
      ...nodes.map((name) => offer({ kind: 'node', name }, 'node')),
    ];
    const seen = new Set<string>();
    return all.filter(({ value }) => !seen.has(value) && seen.add(value));
  }, [recent, bound, accounts, nodes, keys]);
}
