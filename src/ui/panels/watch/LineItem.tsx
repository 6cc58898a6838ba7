import { ChevronRight } from 'lucide-preact';
import { useMemo, useState } from 'preact/compat';
import type { ApiObject } from '../../../schema/index.ts';
import { Code, cx, Diff, StateMark } from '../../parts/index.ts';
import { timeOfDay } from '../../stores/clock.ts';
import type { Resource } from '../../stores/resources.ts';
import type { WatchLine } from '../../stores/watches.ts';
import { stateOfEvent } from '../../theme/states.ts';
import { ObjectLink } from '../object/ObjectLink.tsx';
import { printObject } from '../object/yaml.ts';
import { changesBetween, changeText } from './changes.ts';
import styles from './LineItem.module.css';

const plain = { managedFields: false, secrets: false };

const SHOWN = 2;

/** What is different now, without being asked. */
function Changed({ before, after }: { readonly before: ApiObject; readonly after: ApiObject }) {
  const changes = useMemo(() => changesBetween(before, after), [before, after]);
  const more = changes.length - SHOWN;
  const text = changes.slice(0, SHOWN).map(changeText).join(', ');
  return (
    <p className={styles.changed} title={changes.map(changeText).join('\n')}>
      {text === '' ? 'nothing but its revision' : text}
      {more > 0 && `, ${more} more`}
    </p>
  );
}

/** One event of a watch; opened, what it changed since the one before of the same object. */
export function LineItem({ line, resource }: { readonly line: WatchLine; readonly resource: Resource }) {
  const [open, setOpen] = useState(false);
  if (line.what === 'note') return <li className={cx(styles.note, line.failed && styles.failed)}>{line.text}</li>;
  const { type, object, before, revision, at } = line;
  const state = stateOfEvent(type);
  const { name = '', namespace = '' } = object.metadata;
  const bookmark = type === 'BOOKMARK';
  return (
    <li className={styles.line}>
      <div className={styles.row}>
        <span className={styles.revision}>{revision}</span>
        {state ? <StateMark state={state} text={type} /> : <span className={styles.faint}>{type}</span>}
        {bookmark ? (
          <span className={styles.faint}>nothing up to here is missing</span>
        ) : (
          <ObjectLink resource={resource} namespace={namespace} name={name} />
        )}
        <span className={styles.time}>{timeOfDay(at)}</span>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-label="Show the object"
          onClick={() => setOpen(!open)}
        >
          <ChevronRight className={styles.chevron} aria-hidden />
        </button>
      </div>
      {!open && before && type === 'MODIFIED' && <Changed before={before} after={object} />}
      {open && (
        <div className={styles.object}>
          {before ? (
            <Diff before={printObject(before, plain)} after={printObject(object, plain)} />
          ) : (
            <Code text={printObject(object, plain)} />
          )}
        </div>
      )}
    </li>
  );
}
