import { RefreshCw } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Button, Code, Field, TextInput } from '../../../parts/index.ts';
import { attempt } from '../../../stores/actions.ts';
import { useCluster } from '../../../stores/session.ts';
import { CommandsButton } from '../../commands/CommandsButton.tsx';
import { CredentialForm, LifetimeField } from '../CredentialForm.tsx';
import { listed } from '../listed.ts';
import { acceptedAudience, issueIdToken, issuerFlags, type IssuedToken } from './issuing.ts';
import styles from './TokensTab.module.css';

/** Where the issuer is that lives in every cluster. */
const ISSUER = 'https://oidc.vitrine.dev';

const ISSUING = { label: 'Issue a token', none: 'The simulated issuer signs the token; the cluster is not asked.' };

/** Has the simulated issuer sign an ID token for anybody. */
export function PersonForm({ onToken }: { readonly onToken: (token: IssuedToken | undefined) => void }) {
  const { cluster } = useCluster();
  const accepted = acceptedAudience(cluster.options.apiserver ?? [], ISSUER);
  const [subject, setSubject] = useState('');
  const [groups, setGroups] = useState('');
  const [audience, setAudience] = useState(accepted ?? 'vitrine');
  const [lifetime, setLifetime] = useState('3600');
  const submit = async (): Promise<void> => {
    const wish = { subject: subject.trim(), groups: listed(groups), audience };
    onToken(await issueIdToken({ ...wish, seconds: Number(lifetime) }));
  };
  const rotate = (): void =>
    void attempt('The issuer has new keys.', 'The issuer kept its keys.', async () => cluster.issuer?.rotate());
  return (
    <>
      {accepted === undefined && <NotBelieved />}
      <CredentialForm
        action="Issue a token"
        unavailable={subject.trim() === '' && 'A token needs a subject.'}
        onSubmit={submit}
        more={
          <>
            <CommandsButton of={ISSUING} />
            <Button icon={RefreshCw} onClick={rotate}>
              Take new keys
            </Button>
          </>
        }
      >
        <Field label="Subject" hint="The claim sub">
          {(ids) => <TextInput {...ids} placeholder="jane" value={subject} onText={setSubject} />}
        </Field>
        <Field label="Groups" hint="The claim groups">
          {(ids) => <TextInput {...ids} placeholder="dev ops" value={groups} onText={setGroups} />}
        </Field>
        <Field label="Audience" hint="The claim aud">
          {(ids) => <TextInput {...ids} value={audience} onText={setAudience} />}
        </Field>
        <LifetimeField seconds={lifetime} onSeconds={setLifetime} />
      </CredentialForm>
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
