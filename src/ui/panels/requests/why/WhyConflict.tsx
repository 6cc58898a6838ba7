import { RotateCcw } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Section } from '../../../parts/index.ts';
import { Waiting } from '../../../parts/Waiting.tsx';
import { hrefOf, useAddress } from '../../../stores/address.ts';
import { useAdministrator } from '../../../stores/clients.ts';
import type { PastState } from '../../../stores/history.ts';
import type { OpenedRequest } from '../../../stores/requests.ts';
import { formatRef, type ObjectRef } from '../../../stores/resources.ts';
import { changeText } from '../../watch/changes.ts';
import { WriteButton } from '../../commands/WriteButton.tsx';
import { ObjectLink } from '../../object/ObjectLink.tsx';
import { usePast } from '../../object/past.ts';
import { WrittenBy } from '../../object/WrittenBy.tsx';
import { useTarget } from '../target.ts';
import { conflictOf, writesAfter, type Conflict, type Later } from './conflict.ts';
import { retryOf, sentenceOf, type Case } from './conflictAnswer.ts';
import styles from './why.module.css';

/** Why a write was answered with 409, which writes came before it, and the button that makes its change after all. */
export default function WhyConflict({ request }: { readonly request: OpenedRequest }) {
  const target = useTarget(request);
  const conflict = conflictOf(request);
  if (!target || !conflict) return null;
  return <Answer key={request.id} request={request} target={target} conflict={conflict} />;
}

interface AnswerProps {
  readonly request: OpenedRequest;
  readonly target: ObjectRef;
  readonly conflict: Conflict;
}

function Answer({ request, target, conflict }: AnswerProps) {
  const [times, setTimes] = useState(0);
  const { past, problem } = usePast(useAdministrator(), target, times);
  if (!past && !problem) return <Waiting what="Reading what was written" />;
  // Without the states there is still the server's own reason.
  const states = past?.states ?? [];
  const given: Case = { request, target, conflict, states, kind: target.resource.kind };
  return (
    <Section title="Why the conflict">
      <div className={styles.answer}>
        <p>{sentenceOf(given)}</p>
        <Proof {...given} />
        {request.sender === 'component' && (
          <p className={styles.faint}>Components read the object again and retry by themselves.</p>
        )}
        <RetryOffer given={given} onDone={() => setTimes(times + 1)} />
      </div>
    </Section>
  );
}

/** What shows that it is so: the writes that came in between, the fields that others own, the object that is there. */
function Proof({ conflict, states, target }: Case) {
  if (conflict.is === 'owned')
    return (
      <ul className={styles.proof} aria-label="Fields of other managers">
        {conflict.fields.map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            <code>{field}</code>: {message}
          </li>
        ))}
      </ul>
    );
  const first = conflict.is === 'overtaken' ? writesAfter(states, conflict.revision) : created(states);
  if (first.length === 0) return <ObjectLink {...target} />;
  return <Writes writes={first} target={target} />;
}

/** The write that created the object as it is now. */
function created(states: readonly PastState[]): readonly Later[] {
  const state = states.findLast(({ type }) => type === 'ADDED' || type === 'KEPT');
  return state ? [{ state, changes: [] }] : [];
}

const SHOWN = 5;
const FIELDS = 3;

function Writes({ writes, target }: { readonly writes: readonly Later[]; readonly target: ObjectRef }) {
  const more = writes.length - SHOWN;
  return (
    <ul className={styles.proof} aria-label="Writes since then">
      {more > 0 && <li className={styles.faint}>{more} earlier writes</li>}
      {writes.slice(-SHOWN).map((write) => (
        <WriteItem key={write.state.revision} write={write} target={target} />
      ))}
    </ul>
  );
}

const words = { KEPT: 'was there', ADDED: 'created it', MODIFIED: 'changed it', DELETED: 'deleted it' } as const;

function WriteItem({ write: { state, changes }, target }: { readonly write: Later; readonly target: ObjectRef }) {
  const address = useAddress();
  const { revision, type } = state;
  const query = { sel: `object:${formatRef(target)}`, tab: 'history', rev: revision };
  const fields = changes.slice(0, FIELDS).map(changeText).join(', ');
  const more = changes.length - FIELDS;
  return (
    <li>
      <a href={hrefOf({ query }, address)}>Revision {revision}</a> {words[type]}
      {fields !== '' && `: ${fields}`}
      {more > 0 && `, ${more} more`}{' '}
      <WrittenBy namespace={target.namespace} name={target.name} revision={Number(revision)} />
    </li>
  );
}

function RetryOffer({ given, onDone }: { readonly given: Case; readonly onDone: () => void }) {
  const retry = retryOf(given);
  if (!retry) return null;
  const { write, overwrites, also } = retry;
  return (
    <>
      <WriteButton icon={RotateCcw} write={write} onDone={onDone} />
      {overwrites.length > 0 && <p>It overwrites: {overwrites.slice(0, SHOWN).map(changeText).join(', ')}.</p>}
      <p className={styles.faint}>{also ?? (overwrites.length === 0 && 'It overwrites nothing that others wrote.')}</p>
    </>
  );
}
