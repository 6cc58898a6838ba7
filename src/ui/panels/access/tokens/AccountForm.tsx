import { KeyRound } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button, Field, Select, TextInput } from '../../../parts/index.ts';
import { useAccounts } from '../../../stores/following.ts';
import { listed } from '../listed.ts';
import { requestAccountToken, type IssuedToken } from './issuing.ts';
import { LIFETIMES } from './lifetimes.ts';
import styles from '../RequestForm.module.css';

const keyOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string =>
  `${namespace}/${name}`;

/** Asks the server for a token of a service account. */
export function AccountForm({ onToken }: { readonly onToken: (token: IssuedToken | undefined) => void }) {
  const accounts = useAccounts();
  const [chosen, setChosen] = useState('');
  const [audiences, setAudiences] = useState('');
  const [lifetime, setLifetime] = useState('3600');
  const [busy, setBusy] = useState(false);
  const account = accounts.find((each) => keyOf(each) === chosen) ?? accounts[0];
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!account) return;
    setBusy(true);
    onToken(await requestAccountToken({ ...account, audiences: listed(audiences), seconds: Number(lifetime) }));
    setBusy(false);
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <Field label="Service account">
        {(ids) => (
          <Select
            {...ids}
            value={account ? keyOf(account) : ''}
            options={accounts.map((each) => ({ value: keyOf(each), label: keyOf(each) }))}
            onValue={setChosen}
          />
        )}
      </Field>
      <Field label="Audiences" hint="The server’s own where none is named">
        {(ids) => <TextInput {...ids} value={audiences} onText={setAudiences} />}
      </Field>
      <Field label="Lasts" hint="By the cluster’s clock">
        {(ids) => <Select {...ids} value={lifetime} options={LIFETIMES} onValue={setLifetime} />}
      </Field>
      <Button
        type="submit"
        look="primary"
        icon={KeyRound}
        busy={busy}
        unavailable={!account && 'There is no service account.'}
      >
        Issue a token
      </Button>
    </form>
  );
}
