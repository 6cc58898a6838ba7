import { ChevronDown } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Combobox, Popover } from '../../parts/index.ts';
import { readUser, useOffers } from '../../shell/offers.ts';
import { keyOfIdentity, nameOfIdentity, type Identity } from '../../stores/identity.ts';
import styles from './access.module.css';

/** Chooses somebody, without becoming them. */
export function IdentityPicker({
  identity,
  onIdentity,
}: {
  readonly identity: Identity;
  readonly onIdentity: (identity: Identity) => void;
}) {
  const [open, setOpen] = useState(false);
  const offers = useOffers(open);
  const choose = (value: string): void => {
    onIdentity(offers.find((each) => each.value === value)?.identity ?? readUser(value));
    setOpen(false);
  };
  return (
    <Popover
      label="Somebody"
      open={open}
      onOpen={setOpen}
      trigger={
        <button type="button" className={styles.somebody}>
          {nameOfIdentity(identity)}
          <ChevronDown className={styles.icon} aria-hidden />
        </button>
      }
    >
      <Combobox
        label="A name, then groups"
        items={offers}
        current={keyOfIdentity(identity)}
        onChoose={choose}
        free={(text) => ({ value: text, label: text, note: 'this user' })}
      />
    </Popover>
  );
}
