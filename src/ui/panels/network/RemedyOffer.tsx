import { FilePlus2, ShieldCheck } from 'lucide-preact';
import { stringify } from 'yaml';
import type { Remedy } from '../../../explain/index.ts';
import { offer, openEditor } from '../../editor/drafts.ts';
import { Button } from '../../parts/index.ts';
import { administrator, useIdentity } from '../../stores/identity.ts';
import type { Write } from '../../stores/writes.ts';
import { WriteButton } from '../commands/WriteButton.tsx';
import { withoutEmpty } from './flowActions.ts';
import styles from './SidePane.module.css';

/** Applied by the administrator, whoever the page acts as. */
const applyingRemedy = (label: string, text: string): Write => ({
  label,
  done: 'The policy was applied: the packet may pass.',
  failed: 'The policy could not be applied.',
  as: administrator,
  send: async (client) => (await import('../editor/applying.ts')).applyText(client, text, 'default'),
});

/** The smallest policy that would let the packet pass: to be looked at first, or applied at once. */
export function RemedyOffer({ remedy }: { readonly remedy: Remedy }) {
  const isAdministrator = useIdentity(({ current }) => current.kind === 'administrator');
  const text = (): string => stringify(withoutEmpty(remedy.object));
  const write = (): void => {
    offer(text());
    openEditor({ kind: 'new' });
  };
  return (
    <div className={styles.remedy}>
      <div className={styles.buttons}>
        <Button icon={FilePlus2} onClick={write}>
          {remedy.title}
        </Button>
        <WriteButton
          icon={ShieldCheck}
          write={applyingRemedy(isAdministrator ? 'Apply it now' : 'Apply as administrator', text())}
        />
      </div>
      <p className={styles.about}>
        The first button writes a policy into the editor, where you see what it would change.
        {remedy.alsoAllows === '' ? ' It allows nothing else.' : ` It also allows ${remedy.alsoAllows}.`}
      </p>
    </div>
  );
}
