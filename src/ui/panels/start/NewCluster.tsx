import { Play } from 'lucide-preact';
import { useState, type FormEvent, type ReactNode } from 'preact/compat';
import type { Profile } from '../../../names/index.ts';
import { Button, Field, Segmented, Switch, TextArea, TextInput } from '../../parts/index.ts';
import type { BootOptions } from '../../host.ts';
import { go, useAddress } from '../../stores/address.ts';
import { openCluster, useSession } from '../../stores/session.ts';
import { apiserverFlags, controllerManagerFlags, freeName, useNaming } from './defaults.ts';
import { Fold } from './Fold.tsx';
import styles from './NewCluster.module.css';

const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const MOST_NODES = 100;

interface Draft {
  readonly name: string;
  readonly naming: Profile;
  readonly nodes: string;
  readonly dns: boolean;
  readonly storage: 'indexeddb' | 'memory';
  readonly apiserver: string;
  readonly controllerManager: string;
  readonly scheduler: string;
  readonly seed: string;
}

const fresh: Omit<Draft, 'name' | 'naming'> = {
  nodes: '3',
  dns: true,
  storage: 'indexeddb',
  apiserver: apiserverFlags,
  controllerManager: controllerManagerFlags,
  scheduler: '',
  seed: '',
};

const offered: readonly Profile[] = ['k8s.io', 'cluster.io'];

const flagsIn = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** What `vitrine.boot` takes, from what was filled in. Things left empty are left out. */
function optionsOf(draft: Draft, name: string): BootOptions {
  const flags = {
    apiserver: flagsIn(draft.apiserver),
    controllerManager: flagsIn(draft.controllerManager),
    scheduler: flagsIn(draft.scheduler),
  };
  const given = Object.fromEntries(Object.entries(flags).filter(([, list]) => list.length > 0));
  return {
    name,
    naming: draft.naming,
    nodes: Number(draft.nodes),
    storage: draft.storage,
    ...(draft.dns ? { addons: ['dns'] as const } : {}),
    ...given,
    ...(draft.seed ? { seed: draft.seed } : {}),
  };
}

function problemWithName(name: string, taken: readonly string[]): string | undefined {
  if (!NAME.test(name)) return 'Lower-case letters, digits and dashes; it begins and ends with a letter or digit.';
  return taken.includes(name) ? 'There is a cluster of this name already.' : undefined;
}

const problemWithNodes = (nodes: string): string | undefined =>
  /^\d+$/.test(nodes) && Number(nodes) <= MOST_NODES ? undefined : `A number from 0 to ${MOST_NODES}.`;

/** The form for those who choose nodes, names and flags themselves. */
export default function NewCluster() {
  const known = useSession((state) => state.known);
  const asked = useAddress((address) => address.cluster);
  const taken = known?.map((each) => each.name) ?? [];
  const [draft, setDraft] = useState<Draft>({ ...fresh, name: asked, naming: useNaming.getState().naming });
  const [tried, setTried] = useState(false);
  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const name = draft.name === '' ? freeName('cluster', known) : draft.name;
  const badName = problemWithName(name, taken);
  const badNodes = problemWithNodes(draft.nodes);
  const create = (event: FormEvent<HTMLElement>): void => {
    event.preventDefault();
    setTried(true);
    if (badName || badNodes) return;
    useNaming.setState({ naming: draft.naming });
    go({ cluster: name, panel: 'glass' });
    void openCluster(optionsOf(draft, name));
  };
  return (
    <form className={styles.form} aria-label="New cluster" onSubmit={create}>
      <Field label="Name" error={tried || draft.name !== '' ? badName : undefined}>
        {(ids) => (
          <TextInput
            {...ids}
            placeholder={freeName('cluster', known)}
            value={draft.name}
            onText={(text) => set({ name: text })}
          />
        )}
      </Field>
      <div className={styles.pair}>
        <Field label="Nodes" error={badNodes}>
          {(ids) => <TextInput {...ids} inputMode="numeric" value={draft.nodes} onText={(nodes) => set({ nodes })} />}
        </Field>
        <Choice label="Kept">
          <Segmented
            label="Kept"
            value={draft.storage}
            choices={[
              { value: 'indexeddb', label: 'In this browser' },
              { value: 'memory', label: 'Until closed' },
            ]}
            onValue={(storage) => set({ storage })}
          />
        </Choice>
      </div>
      <Choice
        label="Names of API groups"
        hint={
          draft.naming === 'k8s.io'
            ? 'As in Kubernetes: manifests written for kubectl work unchanged.'
            : 'The specification’s neutral names, such as rbac.authorization.cluster.io. Manifests from elsewhere have to be converted.'
        }
      >
        <Segmented
          label="Names of API groups"
          value={draft.naming}
          choices={offered.map((value) => ({ value, label: value }))}
          onValue={(naming) => set({ naming })}
        />
      </Choice>
      <Advanced draft={draft} set={set} />
      <div className={styles.actions}>
        <Button type="submit" look="primary" icon={Play}>
          Create cluster
        </Button>
      </div>
    </form>
  );
}

function Choice({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.choice}>
      <p className={styles.label}>{label}</p>
      {children}
      {hint && <p className={styles.hint}>{hint}</p>}
    </div>
  );
}

function Advanced({ draft, set }: { readonly draft: Draft; readonly set: (change: Partial<Draft>) => void }) {
  return (
    <Fold title="Flags and seed">
      <div className={styles.flags}>
        <Switch label="Name server as pods" checked={draft.dns} onChecked={(dns) => set({ dns })} />
        <FlagField
          label="API server"
          example="--authorization-mode=Node,RBAC"
          value={draft.apiserver}
          onText={(apiserver) => set({ apiserver })}
        />
        <FlagField
          label="Controller manager"
          example="--controllers=*,bootstrapsigner"
          value={draft.controllerManager}
          onText={(controllerManager) => set({ controllerManager })}
        />
        <FlagField
          label="Scheduler"
          example="--leader-elect=false"
          value={draft.scheduler}
          onText={(scheduler) => set({ scheduler })}
        />
        <Field label="Seed" hint="The same seed gives the same names, uids and addresses.">
          {(ids) => <TextInput {...ids} code value={draft.seed} onText={(seed) => set({ seed })} />}
        </Field>
      </div>
    </Fold>
  );
}

interface FlagFieldProps {
  readonly label: string;
  readonly example: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

function FlagField({ label, example, value, onText }: FlagFieldProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <TextArea {...ids} rows={2} placeholder={example} value={value} onText={onText} className={styles.flagArea} />
      )}
    </Field>
  );
}
