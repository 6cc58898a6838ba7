import { History } from 'lucide-preact';
import type { ObjectChange, ReachChange, Since } from '../../../explain/index.ts';
import { keyOf } from '../../../network/index.ts';
import { Button, TextInput } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import type { LiveNetwork } from '../../stores/network.ts';
import { theCluster } from '../../stores/session.ts';
import { KindLink } from '../object/ObjectLink.tsx';
import { Note } from './Note.tsx';
import { newestRevision, useSince } from './since.ts';
import styles from './SidePane.module.css';

const MOST_SHOWN = 12;

interface SincePaneProps {
  readonly network: LiveNetwork;
  readonly port: string;
}

/** What became reachable or unreachable since a revision, and through which change. */
export function SincePane({ network, port }: SincePaneProps) {
  const revision = useAddress(({ query }) => query['since'] ?? '');
  const comparison = useSince(network, port, revision);
  const set = (since: string | undefined): void => go({ query: { since } }, true);
  return (
    <section className={styles.section} aria-labelledby="network-since">
      <h2 id="network-since" className={styles.title}>
        What changed since a revision
      </h2>
      <div className={styles.since}>
        <TextInput
          aria-label="Revision"
          placeholder="revision"
          code
          className={styles.revision}
          inputMode="numeric"
          value={revision}
          onText={(text) => /^\d*$/.test(text) && set(text || undefined)}
        />
        <Button icon={History} onClick={() => set(newestRevision(network.view))}>
          From now on
        </Button>
      </div>
      <div aria-live="polite">
        {comparison?.state === 'reading' && <p className={styles.about}>Reading revision {revision}.</p>}
        {comparison?.state === 'failed' && <Note look="stopped">{comparison.message}</Note>}
        {comparison?.state === 'compared' && <Changes since={comparison.since} />}
      </div>
    </section>
  );
}

function Changes({ since: { changes, reach, pods } }: { readonly since: Since }) {
  const opened = reach.filter(({ opens }) => opens);
  const closed = reach.filter(({ opens }) => !opens);
  if (pods === 0) return <p className={styles.about}>None of the current pods existed then.</p>;
  if (reach.length === 0) return <p className={styles.about}>The same pods reach each other now as then.</p>;
  return (
    <>
      <p className={styles.sentence}>
        {closed.length} {closed.length === 1 ? 'connection' : 'connections'} closed, {opened.length} opened.
      </p>
      {changes.map((change) => (
        <Note key={`${change.kind} ${change.key}`} look="note">
          <Changed change={change} /> {effectText(change, reach)}
        </Note>
      ))}
      <ul className={styles.details}>
        {[...closed, ...opened].slice(0, MOST_SHOWN).map(({ from, to, opens, through }) => (
          <li key={`${keyOf(from)} ${keyOf(to)}`}>
            {keyOf(from)} {opens ? 'reaches' : 'no longer reaches'} {keyOf(to)}
            {through.length === 0 && ', by several changes together'}.
          </li>
        ))}
        {reach.length > MOST_SHOWN && <li>{reach.length - MOST_SHOWN} more.</li>}
      </ul>
    </>
  );
}

/** How many connections a change opens and closes by itself. */
function effectText(change: ObjectChange, reach: readonly ReachChange[]): string {
  const mine = reach.filter(({ through }) => through.includes(change));
  const opens = mine.filter((each) => each.opens).length;
  return `closes ${mine.length - opens}, opens ${opens}.`;
}

function Changed({ change: { kind, key, how, revision } }: { readonly change: ObjectChange }) {
  const [name = '', namespace = ''] = key.split('/').reverse();
  const { names } = theCluster();
  const apiVersion = kind === 'NetworkPolicy' ? names.fill('networking.{domain}/v1') : 'v1';
  return (
    <>
      {how === 'deleted' ? `${kind} ${key}` : <KindLink {...{ apiVersion, kind, namespace, name }} full />} was {how}
      {revision === undefined ? '' : ` at revision ${revision}`}:
    </>
  );
}
