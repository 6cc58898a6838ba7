import { Facts, Field, Ident, Section, TextInput } from '../../parts/index.ts';
import type { BootOptions } from '../../host.ts';
import { problemWithNodes } from './draft.ts';
import styles from './Settings.module.css';

interface ClusterTabProps {
  readonly made: BootOptions;
  readonly base: string | undefined;
  readonly nodes: string;
  readonly onNodes: (nodes: string) => void;
}

/** What a cluster was made with for good, and how many nodes it has. */
export function ClusterTab({ made, base, nodes, onNodes }: ClusterTabProps) {
  return (
    <div className={styles.scroller}>
      <Section title="Cluster">
        <Facts
          facts={[
            ['Name', made.name],
            ['Names of API groups', made.naming ?? 'cluster.io'],
            ['Kept', made.storage === 'memory' ? 'until the page is closed' : 'in this browser'],
            ['Address for fetch', base === undefined ? undefined : <Ident key="base">{base}</Ident>],
          ]}
        />
        <Field label="Simulated nodes" error={problemWithNodes(nodes)}>
          {(ids) => <TextInput {...ids} inputMode="numeric" className={styles.number} value={nodes} onText={onNodes} />}
        </Field>
      </Section>
    </div>
  );
}
