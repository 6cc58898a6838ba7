import { FilePlus2, Power, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, Facts, Field, IconButton, Ident, Section, TextArea, TextInput, Toolbar } from '../../parts/index.ts';
import type { BootOptions } from '../../host.ts';
import { switchCluster, useCluster } from '../../stores/session.ts';
import { draftOf, optionsOf, problemWithFlags, type SettingsDraft } from './draft.ts';
import styles from './SettingsPanel.module.css';

const components = [
  { key: 'apiserver', title: 'API server', example: '--authorization-mode=Node,RBAC' },
  { key: 'controllerManager', title: 'Controller manager', example: '--use-service-account-credentials=true' },
  { key: 'scheduler', title: 'Scheduler', example: '--leader-elect=false' },
] as const;

/** How the cluster was made: flags, files, nodes; and a restart with others. What is stored stays. */
export default function SettingsPanel() {
  const { cluster } = useCluster();
  const [draft, setDraft] = useState<SettingsDraft>(() => draftOf(cluster.options));
  const set = (change: Partial<SettingsDraft>): void => setDraft({ ...draft, ...change });
  const bad = components.map(({ key }) => problemWithFlags(draft[key])).find((problem) => problem !== undefined);
  const changed = JSON.stringify(draft) !== JSON.stringify(draftOf(cluster.options));
  return (
    <>
      <Toolbar title="Settings" note="Flags are read when a component starts.">
        <Button
          look="primary"
          icon={Power}
          unavailable={bad ?? (!changed && 'Nothing was changed.')}
          onClick={() => void switchCluster(optionsOf(draft, cluster.options))}
        >
          Restart with these
        </Button>
      </Toolbar>
      <div className={styles.panel}>
        <Section title="Cluster">
          <Made options={cluster.options} base={cluster.base} />
          <Field label="Simulated nodes">
            {(ids) => (
              <TextInput
                {...ids}
                inputMode="numeric"
                className={styles.number}
                value={draft.nodes}
                onText={(nodes) => set({ nodes })}
              />
            )}
          </Field>
        </Section>
        {components.map(({ key, title, example }) => (
          <Section key={key} title={title}>
            <Field label="Flags, one on a line" error={problemWithFlags(draft[key])}>
              {(ids) => (
                <TextArea
                  {...ids}
                  rows={4}
                  placeholder={example}
                  value={draft[key]}
                  onText={(text) => set({ [key]: text })}
                />
              )}
            </Field>
          </Section>
        ))}
        <Files files={draft.files} onFiles={(files) => set({ files })} />
      </div>
    </>
  );
}

function Made({ options, base }: { readonly options: BootOptions; readonly base: string }) {
  return (
    <Facts
      facts={[
        ['Name', options.name],
        ['Names of API groups', options.naming ?? 'cluster.io'],
        ['Kept', options.storage === 'memory' ? 'until the page is closed' : 'in this browser'],
        ['Address for fetch', <Ident key="base">{base}</Ident>],
      ]}
    />
  );
}

type NamedFile = SettingsDraft['files'][number];

/** The virtual files: a path in a flag is a name here. */
function Files({
  files,
  onFiles,
}: {
  readonly files: readonly NamedFile[];
  readonly onFiles: (files: readonly NamedFile[]) => void;
}) {
  const change = (at: number, part: Partial<NamedFile>): void =>
    onFiles(files.map((file, index) => (index === at ? { ...file, ...part } : file)));
  const add = (
    <Button icon={FilePlus2} onClick={() => onFiles([...files, { name: `file-${files.length + 1}`, text: '' }])}>
      Add a file
    </Button>
  );
  return (
    <Section title="Files" end={add}>
      {files.length === 0 && (
        <p className={styles.about}>
          A flag that wants a file, such as --token-auth-file=tokens.csv, finds it here by its name.
        </p>
      )}
      {files.map((file, index) => (
        <div key={index} className={styles.file}>
          <TextInput code aria-label="Name of the file" value={file.name} onText={(name) => change(index, { name })} />
          <IconButton
            icon={Trash2}
            label={`Remove ${file.name}`}
            onClick={() => onFiles(files.filter((_, at) => at !== index))}
          />
          <TextArea
            aria-label={`Text of ${file.name}`}
            rows={4}
            className={styles.text}
            value={file.text}
            onText={(text) => change(index, { text })}
          />
        </div>
      ))}
    </Section>
  );
}
