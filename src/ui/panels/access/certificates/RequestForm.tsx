import { useState } from 'preact/compat';
import { Field, Select, TextInput } from '../../../parts/index.ts';
import { CredentialForm } from '../CredentialForm.tsx';
import { listed } from '../listed.ts';
import { CommandsButton } from '../../commands/CommandsButton.tsx';
import { signers, submitRequest, submitting, type Signer } from './signing.ts';

const NAME = /[^a-z0-9.-]+/g;

/** Makes a key and asks a signer for a certificate. */
export function RequestForm() {
  const [signer, setSigner] = useState<Signer>(signers[0] as Signer);
  const [user, setUser] = useState('');
  const [groups, setGroups] = useState('');
  const [hosts, setHosts] = useState('');
  const serves = signer.usages.includes('server auth');
  const choose = (name: string): void => {
    const next = signers.find((each) => each.name === name);
    if (!next) return;
    setSigner(next);
    // The signers of nodes take nothing else.
    if (next !== signers[0]) {
      setGroups('system:nodes');
      if (user === '') setUser('system:node:');
    }
  };
  const name = user.trim().toLowerCase().replace(NAME, '-');
  const subject = { user: user.trim(), groups: listed(groups), hosts: serves ? listed(hosts) : [] };
  const submit = async (): Promise<void> => {
    if (await submitRequest(name, subject, signer)) setUser('');
  };
  return (
    <CredentialForm
      action="Make a key and ask"
      unavailable={user.trim() === '' && 'A certificate needs a user’s name.'}
      onSubmit={submit}
      more={name !== '' && <CommandsButton of={submitting(name, subject, signer)} />}
    >
      <Field label="Signer" hint="Who is asked, and what for">
        {(ids) => (
          <Select
            {...ids}
            value={signer.name}
            options={signers.map(({ name, label }) => ({ value: name, label }))}
            onValue={choose}
          />
        )}
      </Field>
      <Field label="User" hint="The certificate’s common name">
        {(ids) => <TextInput {...ids} placeholder="jane" value={user} onText={setUser} />}
      </Field>
      <Field label="Groups" hint="Its organizations">
        {(ids) => <TextInput {...ids} placeholder="dev ops" value={groups} onText={setGroups} />}
      </Field>
      {serves && (
        <Field label="Served at" hint="Names and addresses">
          {(ids) => <TextInput {...ids} placeholder="node-1 10.0.0.7" value={hosts} onText={setHosts} />}
        </Field>
      )}
    </CredentialForm>
  );
}
