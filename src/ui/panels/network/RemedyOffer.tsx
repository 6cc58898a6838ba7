import { FilePlus2, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { stringify } from 'yaml';
import type { Remedy } from '../../../explain/index.ts';
import { offer, openEditor } from '../../editor/drafts.ts';
import { Button } from '../../parts/index.ts';
import { useIdentity } from '../../stores/identity.ts';
import { applyAsAdministrator } from './applyRemedy.ts';
import { withoutEmpty } from './flowActions.ts';
import styles from './SidePane.module.css';

/** The smallest policy that would let the packet pass: to be looked at first, or applied at once. */
export function RemedyOffer({ remedy }: { readonly remedy: Remedy }) {
  const isAdministrator = useIdentity(({ current }) => current.kind === 'administrator');
  const [busy, setBusy] = useState(false);
  const text = (): string => stringify(withoutEmpty(remedy.object));
  const write = (): void => {
    offer(text());
    openEditor({ kind: 'new' });
  };
  const apply = async (): Promise<void> => {
    setBusy(true);
    await applyAsAdministrator(text());
    setBusy(false);
  };
  return (
    <div className={styles.remedy}>
      <div className={styles.buttons}>
        <Button icon={FilePlus2} onClick={write}>
          {remedy.title}
        </Button>
        <Button icon={ShieldCheck} unavailable={busy && 'It is being applied.'} onClick={() => void apply()}>
          {isAdministrator ? 'Apply it now' : 'Apply as administrator'}
        </Button>
      </div>
      <p className={styles.about}>
        The first writes a policy into the editor, where you see what it would change.
        {remedy.alsoAllows === '' ? ' It allows nothing else.' : ` It also allows ${remedy.alsoAllows}.`}
      </p>
    </div>
  );
}
