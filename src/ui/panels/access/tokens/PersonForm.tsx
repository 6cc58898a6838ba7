import { KeyRound, RefreshCw } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button, Code, Field, Select, TextInput } from '../../../parts/index.ts';
import { attempt } from '../../../stores/actions.ts';
import { useCluster } from '../../../stores/session.ts';
import { listed } from '../listed.ts';
import forms from '../RequestForm.module.css';
import { acceptedAudience, issueIdToken, issuerFlags, type IssuedToken } from './issuing.ts';
import { LIFETIMES } from './lifetimes.ts';
import styles from './TokensTab.module.css';

/** Where the issuer is that lives in every cluster. */
const ISSUER = 'https://oidc.vitrine.dev';

/** Has the simulated issuer sign an ID token for anybody. */
export function PersonForm({ onToken }: { readonly onToken: (token: IssuedToken | undefined) => void }) {
  const { cluster } = useCluster();
  const accepted = acceptedAudience(cluster.options.apiserver ?? [], ISSUER);
  const [subject, setSubject] = useState('');
  const [groups, setGroups] = useState('');
  const [audience, setAudience] = useState(accepted ?? 'vitrine');
  const [lifetime, setLifetime] = useState('3600');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (subject.trim() === '') return;
    setBusy(true);
    const wish = { subject: subject.trim(), groups: listed(groups), audience };
    onToken(await issueIdToken({ ...wish, seconds: Number(lifetime) }));
    setBusy(false);
  };
  const rotate = (): void =>
    void attempt('The issuer has new keys.', 'The issuer kept its keys.', async () => cluster.issuer?.rotate());
  return (
    <>
      {accepted === undefined && <NotBelieved />}
      <form className={forms.form} onSubmit={(event) => void submit(event)}>
        <Field label="Subject" hint="The claim sub">
          {(ids) => <TextInput {...ids} placeholder="jane" value={subject} onText={setSubject} />}
        </Field>
        <Field label="Groups" hint="The claim groups">
          {(ids) => <TextInput {...ids} placeholder="dev ops" value={groups} onText={setGroups} />}
        </Field>
        <Field label="Audience" hint="The claim aud">
          {(ids) => <TextInput {...ids} value={audience} onText={setAudience} />}
        </Field>
        <Field label="Lasts" hint="By the cluster’s clock">
          {(ids) => <Select {...ids} value={lifetime} options={LIFETIMES} onValue={setLifetime} />}
        </Field>
        <Button
          type="submit"
          look="primary"
          icon={KeyRound}
          busy={busy}
          unavailable={subject.trim() === '' && 'A token needs a subject.'}
        >
          Issue a token
        </Button>
        <Button icon={RefreshCw} onClick={rotate}>
          Take new keys
        </Button>
      </form>
    </>
  );
}

/** A server believes only the issuer that its flags name. */
function NotBelieved() {
  return (
    <div className={styles.notBelieved}>
      <p>
        Every cluster has an issuer at {ISSUER}, answered within this tab. This one does not believe it yet; give its
        API server these flags in Settings:
      </p>
      <Code text={issuerFlags(ISSUER).join('\n')} language="plain" />
    </div>
  );
}
