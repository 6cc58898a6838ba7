import { UserRound } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Combobox, Popover, useHotkey } from '../parts/index.ts';
import { actAs, keyOfIdentity, nameOfIdentity, useIdentity } from '../stores/identity.ts';
import { readUser, useOffers } from './offers.ts';
import { Question } from './Question.tsx';
import styles from './IdentitySwitch.module.css';

/** As whom the page asks: any user with any groups, a service account, a node, or nobody. */
export function IdentitySwitch() {
  const [open, setOpen] = useState(false);
  const current = useIdentity((state) => state.current);
  const offers = useOffers(open);
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
        current={keyOfIdentity(current)}
        onChoose={choose}
        free={(text) => ({ value: text, label: text, note: 'act as this user' })}
      />
      <p className={styles.about}>
        Requests are sent by impersonation: the server decides as it would for this identity. One with a certificate or
        a token proves itself with each request instead.
      </p>
    </Popover>
  );
}
