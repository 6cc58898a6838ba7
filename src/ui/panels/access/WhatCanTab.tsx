import { Footprints, Grid3x3, Waypoints } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import { later, Segmented, Select } from '../../parts/index.ts';
import type { HeldRule } from '../../host.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useNamespaces, useRevision } from '../../stores/following.ts';
import { identityOf, useIdentity, type Identity } from '../../stores/identity.ts';
import { useCluster } from '../../stores/session.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { rightsCommand } from '../commands/readings.ts';
import { formatWho, parseWho } from '../object/UserLink.tsx';
import { IdentityPicker } from './IdentityPicker.tsx';
import { AccessGraph } from './AccessGraph.tsx';
import { AccessMatrix } from './AccessMatrix.tsx';
import { userOf } from './words.ts';
import styles from './access.module.css';

type View = 'graph' | 'matrix' | 'seen';

const SmallestRole = later(() => import('./SmallestRole.tsx'));

/** Everything that somebody may do: as a graph of how it comes about, or as a matrix; and the smallest role for what they did. */
export function WhatCanTab() {
  const current = useIdentity((state) => state.current);
  const named = useAddress((address) => address.query['who'] ?? '');
  const who = parseWho(named);
  const [view, setView] = useState<View>('graph');
  const shown = useAddress((address) => address.query['ns'] ?? '');
  const namespaces = useNamespaces();
  const [namespace, setNamespace] = useState(shown);
  const identity = who ? identityOf(who.name, who.groups) : current;
  const choose = (next: Identity): void => {
    const { name, groups } = userOf(next);
    go({ query: { who: formatWho(name, groups) } });
  };
  return (
    <>
      <div className={styles.form}>
        <span className={styles.word}>What can</span>
        <IdentityPicker identity={identity} onIdentity={choose} />
        <span className={styles.word}>do</span>
        <Segmented
          label="View"
          value={view}
          choices={[
            { value: 'graph', label: 'Graph', icon: Waypoints },
            { value: 'matrix', label: 'Matrix', icon: Grid3x3 },
            { value: 'seen', label: 'Smallest role', icon: Footprints },
          ]}
          onValue={setView}
        />
        {view === 'matrix' && (
          <Select
            aria-label="Namespace"
            className={styles.scope}
            value={namespace}
            options={[
              { value: '', label: 'in the whole cluster' },
              ...namespaces.map((value) => ({ value, label: `in ${value}` })),
            ]}
            onValue={setNamespace}
          />
        )}
        <CommandsButton
          of={{ label: 'What can they do', commands: () => [rightsCommand(userOf(identity), namespace)] }}
        />
      </div>
      {view === 'graph' && <Graph identity={identity} />}
      {view === 'matrix' && <AccessMatrix user={userOf(identity)} namespace={namespace} />}
      {view === 'seen' && <SmallestRole identity={identity} />}
    </>
  );
}

function Graph({ identity }: { readonly identity: Identity }) {
  const { cluster } = useCluster();
  const revision = useRevision();
  const [held, setHeld] = useState<readonly HeldRule[]>();
  useEffect(() => {
    let gone = false;
    void cluster.access?.whatCan(userOf(identity)).then(
      (found) => gone || setHeld(found),
      () => undefined,
    );
    return () => {
      gone = true;
    };
    // Any write may have changed what somebody holds.
  }, [cluster, identity, revision]);
  return held ? <AccessGraph held={held} /> : null;
}
