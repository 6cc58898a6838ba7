import { UserRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Combobox, Popover, useHotkey, type ComboItem } from '../parts/index.ts';
import { useAccounts, useNodeNames } from '../stores/following.ts';
import {
  actAs,
  administrator,
  anonymous,
  identityOf,
  nameOfIdentity,
  useIdentity,
  type Identity,
} from '../stores/identity.ts';
import { Question } from './Question.tsx';
import styles from './IdentitySwitch.module.css';

interface Offer extends ComboItem {
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

function useOffers(): readonly Offer[] {
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

/** As whom the page asks: any user with any groups, a service account, a node, or nobody. */
export function IdentitySwitch() {
  const [open, setOpen] = useState(false);
  const current = useIdentity((state) => state.current);
  const offers = useOffers();
  const choose = (value: string): void => {
    actAs(offers.find((each) => each.value === value)?.identity ?? readUser(value));
    setOpen(false);
  };
  useHotkey('u', () => setOpen(true), 'Act as somebody');
  return (
    <Popover
      label="Act as"
      open={open}
      onOpen={setOpen}
      trigger={
        <Question
          icon={UserRound}
          question="As"
          answer={nameOfIdentity(current)}
          special={current.kind !== 'administrator'}
        />
      }
    >
      <Combobox
        label="Act as: a name, then groups"
        items={offers}
        current={nameOfIdentity(current)}
        onChoose={choose}
        free={(text) => ({ value: text, label: text, note: 'act as this user' })}
      />
      <p className={styles.about}>Requests are sent by impersonation: the server decides as it would for them.</p>
    </Popover>
  );
}
