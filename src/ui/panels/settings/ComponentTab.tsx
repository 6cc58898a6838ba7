import { SearchX } from 'lucide-preact';
import { useId, useMemo, useState } from 'preact/compat';
import { Button, Empty, Field, Filter, Section, Segmented, TextArea } from '../../parts/index.ts';
import type { ComponentInfo, FlagInfo, FlagsVerdict, GateInfo } from '../../host.ts';
import { gatesIn, problemWithFlags, valuesIn, withGate, withValues } from './draft.ts';
import { useAddress } from '../../stores/address.ts';
import { FlagRow } from './FlagRow.tsx';
import { GateRow } from './GateRow.tsx';
import styles from './Settings.module.css';

const VIEWS = [
  { value: 'all', label: 'All flags' },
  { value: 'given', label: 'Given' },
  { value: 'gates', label: 'Features' },
  { value: 'text', label: 'As text' },
] as const;

type View = (typeof VIEWS)[number]['value'];

const GATES = 'feature-gates';

interface ComponentTabProps {
  /** Missing until the host has told of it. */
  readonly component: ComponentInfo | undefined;
  readonly gates: readonly GateInfo[];
  /** The names of the virtual files. */
  readonly files: readonly string[];
  /** The component's arguments, one on a line. */
  readonly text: string;
  readonly problems: FlagsVerdict['problems'];
  readonly onText: (text: string) => void;
}

/** One component's flags: found by a word of them, shown with what they are, edited one by one or as text. */
export function ComponentTab({ component, gates, files, text, problems, onText }: ComponentTabProps) {
  const [asked, setView] = useState<View>('all');
  const [wanted, setWanted] = useState(useAddress((address) => address.query['flag'] ?? ''));
  const view = component ? asked : 'text';
  const flags = component?.flags ?? [];
  const values = useMemo(() => valuesIn(text, component?.flags ?? []), [text, component]);
  const setValues = (name: string, next: readonly string[]): void => onText(withValues(text, flags, name, next));
  const found = (words: string): boolean => words.toLowerCase().includes(wanted.trim().toLowerCase());
  const shown = flags.filter(
    ({ name, help, section }) => (view === 'all' || values.has(name)) && found(`--${name} ${help} ${section}`),
  );
  return (
    <>
      <div className={styles.tools}>
        <Segmented label="View" value={view} choices={VIEWS} onValue={setView} />
        {view !== 'text' && (
          <Filter label={view === 'gates' ? 'Find a feature' : 'Find a flag'} value={wanted} onText={setWanted} />
        )}
      </div>
      {view === 'text' && <AsText text={text} onText={onText} />}
      {view === 'gates' && (
        <Gates
          gates={gates.filter(({ name }) => found(name))}
          values={values.get(GATES) ?? []}
          onValues={(next) => setValues(GATES, next)}
        />
      )}
      {(view === 'all' || view === 'given') && shown.length > 0 && (
        <FlagList flags={shown} values={values} files={files} problems={problems} onValues={setValues} />
      )}
      {(view === 'all' || view === 'given') && shown.length === 0 && (
        <Empty
          icon={SearchX}
          title={wanted === '' ? 'Every flag has its default' : `No flag matches “${wanted}”`}
          action={<Button onClick={() => (setWanted(''), setView('all'))}>Show all flags</Button>}
        />
      )}
    </>
  );
}

function AsText({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  return (
    <div className={styles.scroller}>
      <Section title="Arguments">
        <Field label="Flags, one on a line" error={problemWithFlags(text)}>
          {(ids) => (
            <TextArea {...ids} rows={12} placeholder="--authorization-mode=Node,RBAC" value={text} onText={onText} />
          )}
        </Field>
      </Section>
    </div>
  );
}

interface FlagListProps {
  readonly flags: readonly FlagInfo[];
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly files: readonly string[];
  readonly problems: FlagsVerdict['problems'];
  readonly onValues: (name: string, values: readonly string[]) => void;
}

function FlagList({ flags, values, files, problems, onValues }: FlagListProps) {
  const fileList = useId();
  const sections = Array.from(new Set(flags.map(({ section }) => section)));
  return (
    <div className={styles.scroller}>
      <datalist id={fileList}>
        {files.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {sections.map((title) => (
        <Section key={title} title={title}>
          <ul className={styles.rows}>
            {flags
              .filter(({ section }) => section === title)
              .map((flag) => (
                <FlagRow
                  key={flag.name}
                  flag={flag}
                  values={values.get(flag.name)}
                  fileList={fileList}
                  problem={problems.find((problem) => problem.flag === flag.name)?.message}
                  onValues={(next) => onValues(flag.name, next)}
                />
              ))}
          </ul>
        </Section>
      ))}
    </div>
  );
}

interface GatesProps {
  readonly gates: readonly GateInfo[];
  /** What `--feature-gates` was given. */
  readonly values: readonly string[];
  readonly onValues: (values: readonly string[]) => void;
}

function Gates({ gates, values, onValues }: GatesProps) {
  const set = gatesIn(values);
  return (
    <div className={styles.scroller}>
      <ul className={styles.gates}>
        {gates.map((gate) => (
          <GateRow
            key={gate.name}
            gate={gate}
            value={set.get(gate.name)}
            onValue={(on) => onValues(withGate(values, gate.name, on))}
          />
        ))}
      </ul>
    </div>
  );
}
