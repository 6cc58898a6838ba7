import { PencilLine, Play } from 'lucide-preact';
import { useMemo, useState } from 'preact/compat';
import type { Held } from '../../../../trace/index.ts';
import { readManifests } from '../../../editor/documents.ts';
import { Button, Code, later, Section, StateMark } from '../../../parts/index.ts';
import { letGo, useBreakpoints } from '../../../stores/breakpoints.ts';
import { useRequest, useWhole } from '../../../stores/requests.ts';
import { Way } from '../Way.tsx';
import { editable, withLedger } from './heldObject.ts';
import { standing, whyNotEditable } from './words.ts';
import styles from './breakpoints.module.css';

const Editor = later(() => import('../../editor/SchemaEditor.tsx'), 'Loading the editor');

/** A request that waits: its object, to look at or to edit, and its way so far. */
export function HeldRequest({ held }: { readonly held: Held }) {
  const original = useMemo(() => editable(held.object), [held]);
  const [text, setText] = useState(original);
  const { manifests, problems } = useMemo(() => readManifests(text), [text]);
  const edited = text !== original;
  const [first] = manifests;
  const go = (): void => void letGo(held);
  const goEdited = (): void => {
    if (first && problems.length === 0 && edited) void letGo(held, withLedger(first.value, held.object));
  };
  return (
    <article className={styles.exhibit} aria-label="Held request">
      <Head held={held} />
      <div className={styles.actions}>
        <Button look={edited ? 'plain' : 'primary'} icon={Play} onClick={go}>
          {edited ? 'Let go as it was' : 'Let go'}
        </Button>
        {held.editable && (
          <Button
            look={edited ? 'primary' : 'plain'}
            icon={PencilLine}
            unavailable={
              problems.length > 0 ? 'The text has errors: see the marked lines.' : !edited && 'Nothing was edited.'
            }
            onClick={goEdited}
          >
            Let go as edited
          </Button>
        )}
        <span className={styles.faint}>{whyNotEditable(held)}</span>
      </div>
      {held.editable ? (
        <div className={styles.editor}>
          <Editor
            name={`held/${held.request}/${held.before}`}
            text={text}
            problems={problems}
            reveal={undefined}
            onText={setText}
            onApply={goEdited}
          />
        </div>
      ) : (
        original !== '' && (
          <div className={styles.code}>
            <Code text={original} numbers />
          </div>
        )
      )}
      <WayThere request={held.request} />
    </article>
  );
}

function Head({ held }: { readonly held: Held }) {
  const steps = useBreakpoints((state) => state.steps);
  const at = standing(steps, held.before);
  return (
    <header className={styles.head}>
      <h3 className={styles.title}>
        {held.verb} {held.resource} by {held.user}
      </h3>
      <StateMark
        state="pending"
        text={`before ${held.before}${held.phase ? ` (${held.phase})` : ''}${at ? `, ${at}` : ''}`}
      />
    </header>
  );
}

function WayThere({ request: id }: { readonly request: string }) {
  const request = useWhole(useRequest(id));
  if (!request) return null;
  return (
    <Section title="Request path so far">
      <Way request={request} />
    </Section>
  );
}
