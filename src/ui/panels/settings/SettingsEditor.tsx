import { Power } from 'lucide-preact';
import { useMemo, useState } from 'preact/compat';
import { Button, ErrorNote, StateMark, Tabs, Toolbar } from '../../parts/index.ts';
import type { BootOptions, ComponentInfo, ComponentKey, FlagsVerdict } from '../../host.ts';
import { theHost } from '../../stores/session.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { settingsView } from '../commands/views.ts';
import { useFlags, useVerdict } from './advice.ts';
import { ClusterTab } from './ClusterTab.tsx';
import { ComponentTab } from './ComponentTab.tsx';
import { draftOf, optionsOf, problemWithFlags, problemWithNodes, valuesIn, type SettingsDraft } from './draft.ts';
import { FilesTab } from './FilesTab.tsx';
import styles from './Settings.module.css';

/** The components by their tabs; what the host tells of them comes later. */
const components: readonly { readonly tab: string; readonly key: ComponentKey; readonly title: string }[] = [
  { tab: 'apiserver', key: 'apiserver', title: 'API server' },
  { tab: 'controller-manager', key: 'controllerManager', title: 'Controller manager' },
  { tab: 'scheduler', key: 'scheduler', title: 'Scheduler' },
];

interface SettingsEditorProps {
  /** What is edited. */
  readonly made: BootOptions;
  /** Where the cluster is reached, while it runs. */
  readonly base?: string;
  readonly tab: string;
  readonly onTab: (tab: string) => void;
  readonly onStart: (options: BootOptions) => void;
  /** There is no cluster running yet, so that even unchanged settings may be tried. */
  readonly stopped?: boolean;
  /** Why nothing can be started from here. */
  readonly fixed?: string | undefined;
}

/** Edits a cluster's options; says what a start with them would be told while they are typed. */
export default function SettingsEditor({ made, base, tab, onTab, onStart, stopped, fixed }: SettingsEditorProps) {
  const [draft, setDraft] = useState<SettingsDraft>(() => draftOf(made));
  const set = (change: Partial<SettingsDraft>): void => setDraft({ ...draft, ...change });
  const options = useMemo(() => optionsOf(draft, made), [draft, made]);
  const info = useFlags(made.naming);
  const verdict = useVerdict(options);
  const changed = JSON.stringify(draft) !== JSON.stringify(draftOf(made));
  const files = draft.files.map(({ name }) => name);
  const tabs = [
    {
      value: 'cluster',
      label: 'Cluster',
      content: () => <ClusterTab made={made} base={base} nodes={draft.nodes} onNodes={(nodes) => set({ nodes })} />,
    },
    ...components.map(({ tab: value, key, title }) => {
      const component = info?.components.find((each) => each.key === key);
      return {
        value,
        label: title,
        count: countOf(draft[key], component),
        content: () => (
          <ComponentTab
            key={key}
            component={component}
            gates={info?.gates ?? []}
            files={files}
            text={draft[key]}
            problems={verdict.problems.filter((problem) => problem.component === key)}
            onText={(text) => set({ [key]: text })}
          />
        ),
      };
    }),
    {
      value: 'files',
      label: 'Files',
      count: draft.files.length || undefined,
      content: () => <FilesTab files={draft.files} onFiles={(all) => set({ files: all })} />,
    },
  ];
  return (
    <>
      <Toolbar
        title="Settings"
        note="Flags are read when a component starts. A restart keeps everything that is stored."
      >
        <Button
          look="primary"
          icon={Power}
          unavailable={fixed ?? reasonAgainst(draft, verdict, changed || stopped === true)}
          onClick={() => onStart(options)}
        >
          {stopped ? 'Start with these' : 'Restart with these'}
        </Button>
        <CommandsButton of={settingsView} />
      </Toolbar>
      <Tabs
        label="Settings"
        value={tabs.some(({ value }) => value === tab) ? tab : 'cluster'}
        tabs={tabs}
        onValue={onTab}
      />
      <Verdict verdict={verdict} />
    </>
  );
}

/** How many flags are given. */
function countOf(text: string, component: ComponentInfo | undefined): number | undefined {
  return (component && valuesIn(text, component.flags).size) || undefined;
}

/** Why there is nothing to start; where the host can't judge flags, only their form is looked at. */
function reasonAgainst(draft: SettingsDraft, { problems }: FlagsVerdict, differs: boolean): string | false {
  if (problems.length > 0) return 'The cluster would not start with these.';
  if (problemWithNodes(draft.nodes) !== undefined) return 'The number of nodes is not a number.';
  const malformed = components.map(({ key }) => problemWithFlags(draft[key])).find((problem) => problem !== undefined);
  if (malformed !== undefined && !theHost().flags) return malformed;
  return !differs && 'Nothing was changed.';
}

/** What keeps the cluster from starting, and what should be mended; below everything, so that nothing moves while one types. */
function Verdict({ verdict: { problems, warnings } }: { readonly verdict: FlagsVerdict }) {
  const titleOf = (key: ComponentKey): string => components.find((component) => component.key === key)?.title ?? key;
  return (
    <>
      {problems.length > 0 && (
        <ErrorNote title="The cluster would not start with these settings.">
          <ul className={styles.messages}>
            {problems.map(({ component, message }, i) => (
              <li key={i}>
                {titleOf(component)}: <code>{message}</code>
              </li>
            ))}
          </ul>
        </ErrorNote>
      )}
      {warnings.length > 0 && (
        <ul className={styles.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>
              <StateMark state="pending" text="" /> {warning}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
