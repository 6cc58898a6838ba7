import { FilePlus2, KeyRound } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import { offer, openEditor } from '../../editor/drafts.ts';
import { Badge, Button } from '../../parts/index.ts';
import type { AccessChange, AccessUser, AccessWish } from '../../host.ts';
import { useCluster } from '../../stores/session.ts';
import { WriteButton } from '../commands/WriteButton.tsx';
import { applyingEdits } from './applyEdits.ts';
import { manifestsOf } from './manifests.ts';
import { editText, ruleText, scopeText, subjectText } from './words.ts';
import styles from './access.module.css';

const SHOWN = 3;

interface ChangesProps {
  readonly asked: AccessWish & { readonly user: AccessUser };
  /** What is done once a change was made. */
  readonly onApplied?: (() => void) | undefined;
}

/** What would allow a request, that first which opens least, with what else each would open. */
export function Changes({ asked, onApplied }: ChangesProps) {
  const { cluster } = useCluster();
  const [changes, setChanges] = useState<readonly AccessChange[]>([]);
  const [all, setAll] = useState(false);
  const text = JSON.stringify(asked);
  useEffect(() => {
    let gone = false;
    void cluster.access?.changesFor(JSON.parse(text) as ChangesProps['asked']).then(
      (found) => gone || setChanges(found),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [cluster, text]);
  const more = changes.length - SHOWN;
  return (
    <>
      <ol className={styles.changes}>
        {(all ? changes : changes.slice(0, SHOWN)).map((change, index) => (
          <ChangeItem key={index} change={change} onApplied={onApplied} />
        ))}
      </ol>
      {more > 0 && !all && (
        <Button look="quiet" onClick={() => setAll(true)}>
          {more} more, which allow more
        </Button>
      )}
    </>
  );
}

interface ChangeItemProps extends Pick<ChangesProps, 'onApplied'> {
  readonly change: AccessChange;
}

function ChangeItem({ change: { edits, opens }, onApplied }: ChangeItemProps) {
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
        <Opens opens={opens} />
      </div>
      <div className={styles.remedies}>
        <WriteButton icon={KeyRound} write={applyingEdits(edits)} onDone={onApplied} />
        {text !== '' && (
          <Button look="quiet" icon={FilePlus2} onClick={write}>
            Write it
          </Button>
        )}
      </div>
    </li>
  );
}

function Opens({ opens }: Pick<AccessChange, 'opens'>) {
  if (opens.length === 0) return <p className={styles.faint}>Allows nothing else.</p>;
  return (
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
  );
}
