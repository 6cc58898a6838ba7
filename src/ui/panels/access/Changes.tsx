import { FilePlus2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { offer, openEditor } from '../../editor/drafts.ts';
import { Badge, Button } from '../../parts/index.ts';
import type { AccessChange, AccessWish } from '../../host.ts';
import type { Identity } from '../../stores/identity.ts';
import { useCluster } from '../../stores/session.ts';
import { manifestsOf } from './manifests.ts';
import { editText, ruleText, scopeText, subjectText, userOf } from './words.ts';
import styles from './access.module.css';

const SHOWN = 5;

/** What would allow a request, the smallest first, with what else each would open. */
export function Changes({ wish, identity }: { readonly wish: AccessWish; readonly identity: Identity }) {
  const { cluster } = useCluster();
  const [changes, setChanges] = useState<readonly AccessChange[]>([]);
  useEffect(() => {
    let gone = false;
    void cluster.access?.changesFor({ ...wish, user: userOf(identity) }).then((found) => !gone && setChanges(found));
    return () => {
      gone = true;
    };
  }, [cluster, wish, identity]);
  return (
    <ol className={styles.changes}>
      {changes.slice(0, SHOWN).map((change, index) => (
        <ChangeItem key={index} change={change} />
      ))}
    </ol>
  );
}

function ChangeItem({ change: { edits, opens } }: { readonly change: AccessChange }) {
  const { names } = useCluster();
  const text = manifestsOf(edits, names);
  const write = (): void => {
    offer(text);
    openEditor({ kind: 'new' });
  };
  return (
    <li className={styles.change}>
      <div className={styles.edits}>
        {edits.map((edit, index) => (
          <p key={index}>{editText(edit)}</p>
        ))}
        {opens.length === 0 ? (
          <p className={styles.faint}>Allows nothing else.</p>
        ) : (
          <details>
            <summary>
              Also allows: <Badge>{opens.length}</Badge>
            </summary>
            <ul className={styles.opens}>
              {opens.map(({ subject, scope, rule }, index) => (
                <li key={index}>
                  {subjectText(subject)} may {ruleText(rule)} in {scopeText(scope)}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {text !== '' && (
        <Button icon={FilePlus2} onClick={write}>
          Write it
        </Button>
      )}
    </li>
  );
}
