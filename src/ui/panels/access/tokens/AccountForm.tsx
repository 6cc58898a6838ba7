import { useState } from 'preact/compat';
import { Field, Select, TextInput } from '../../../parts/index.ts';
import { useAddress } from '../../../stores/address.ts';
import { useAccounts } from '../../../stores/following.ts';
import { CredentialForm, LifetimeField } from '../CredentialForm.tsx';
import { listed } from '../listed.ts';
import { nameOfIdentity } from '../../../stores/identity.ts';
import { perform } from '../../../stores/writes.ts';
import { CommandsButton } from '../../commands/CommandsButton.tsx';
import { parseWho } from '../../object/UserLink.tsx';
import { accountToken, type IssuedToken } from './issuing.ts';

const keyOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string =>
  `${namespace}/${name}`;

/** Asks the server for a token of a service account. */
export function AccountForm({ onToken }: { readonly onToken: (token: IssuedToken | undefined) => void }) {
  const accounts = useAccounts();
  const [chosen, setChosen] = useState('');
  const [audiences, setAudiences] = useState('');
  const [lifetime, setLifetime] = useState('3600');
  const who = parseWho(useAddress((address) => address.query['who'] ?? ''))?.name;
  const account =
    accounts.find((each) => keyOf(each) === chosen) ??
    accounts.find((each) => nameOfIdentity({ kind: 'account', ...each }) === who) ??
    accounts[0];
  const write = account && accountToken({ ...account, audiences: listed(audiences), seconds: Number(lifetime) });
  const submit = async (): Promise<void> => {
    if (write) onToken((await perform(write))?.value);
  };
  return (
    <CredentialForm
      action="Issue a token"
      unavailable={!account && 'There is no service account.'}
      onSubmit={submit}
      more={write && <CommandsButton of={write} />}
    >
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
      <LifetimeField seconds={lifetime} onSeconds={setLifetime} />
    </CredentialForm>
  );
}
