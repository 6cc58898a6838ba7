import { useState } from 'preact/compat';
import type { KnownObject, Wait } from '../../../explain/index.ts';
import { Badge, Button, Dialog, Ident, StateMark } from '../../parts/index.ts';
import { useRefusal } from '../../stores/permissions.ts';
import { WriteButton } from '../commands/WriteButton.tsx';
import { KindLink } from '../object/ObjectLink.tsx';
import { holdRemoval, requestText } from './removeHold.ts';
import { useRefs } from './subject.ts';
import styles from './lifecycle.module.css';

const stateWords = {
  alive: ['ready', 'runs'],
  off: ['failed', 'is switched off'],
  unknown: ['pending', 'is not known here'],
} as const;

/** More objects than this are counted. */
const MOST_HOLDERS = 12;

/** One thing that an object waits for, and how a person ends the waiting. */
export function WaitItem({ object, wait }: { readonly object: KnownObject; readonly wait: Wait }) {
  const [asking, setAsking] = useState(false);
  const { finalizer, party, task, state, heldBy, byHand } = wait;
  const [mark, word] = stateWords[state];
  return (
    <li className={styles.wait}>
      <div className={styles.waitWords}>
        {finalizer !== '' && <Ident>{finalizer}</Ident>}
        <span>{state === 'unknown' ? `${party}: ${task}` : `${party} ${task}`}</span>
        <StateMark state={mark} text={word} />
        {byHand && <Button onClick={() => setAsking(true)}>Remove by hand</Button>}
      </div>
      {heldBy.length > 0 && (
        <p className={styles.holders}>
          waits for
          {heldBy.slice(0, MOST_HOLDERS).map((place) => (
            <KindLink key={`${place.kind}/${place.namespace}/${place.name}`} full {...place} />
          ))}
          {heldBy.length > MOST_HOLDERS && <Badge>{`and ${heldBy.length - MOST_HOLDERS} more`}</Badge>}
        </p>
      )}
      {asking && <RemoveDialog object={object} wait={wait} onClose={() => setAsking(false)} />}
    </li>
  );
}

interface RemoveDialogProps {
  readonly object: KnownObject;
  readonly wait: Wait;
  readonly onClose: () => void;
}

function RemoveDialog({ object, wait, onClose }: RemoveDialogProps) {
  const { apiVersion, kind, metadata } = object;
  const target = useRefs()({ apiVersion, kind, namespace: metadata.namespace, name: metadata.name });
  const refusal = useRefusal('update', target, wait.byHand?.subresource);
  if (!target || !wait.byHand) return null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Remove ${wait.finalizer}?`}
      about={`From ${kind} ${metadata.name ?? ''}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <WriteButton
            look="danger"
            unavailable={refusal}
            write={holdRemoval(target, object, wait)}
            onDone={onClose}
            onLeave={onClose}
          />
        </>
      }
    >
      <p className={styles.warning}>{wait.byHand.loses}</p>
      <pre className={styles.request}>{requestText(target, wait)}</pre>
    </Dialog>
  );
}
