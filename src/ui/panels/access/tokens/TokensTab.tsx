import { useState } from 'preact/compat';
import { Segmented } from '../../../parts/index.ts';
import { AccountForm } from './AccountForm.tsx';
import type { IssuedToken } from './issuing.ts';
import { PersonForm } from './PersonForm.tsx';
import { TokenReader } from './TokenReader.tsx';
import styles from './TokensTab.module.css';

type Source = 'account' | 'person';

/** Tokens: have one issued, read any, ask the server what it makes of it, act by it. */
export function TokensTab() {
  const [source, setSource] = useState<Source>('account');
  const [issued, setIssued] = useState<IssuedToken>();
  const show = (token: IssuedToken | undefined): void => {
    if (token) setIssued(token);
  };
  return (
    <div className={styles.tab}>
      <div className={styles.choice}>
        <Segmented
          label="Issue a token"
          value={source}
          choices={[
            { value: 'account', label: 'For a service account' },
            { value: 'person', label: 'By an OpenID Connect issuer' },
          ]}
          onValue={setSource}
        />
      </div>
      {source === 'account' ? <AccountForm onToken={show} /> : <PersonForm onToken={show} />}
      <TokenReader issued={issued} />
    </div>
  );
}
