import { RotateCcw } from 'lucide-preact';
import { useId, type ReactElement } from 'preact/compat';
import { Badge, IconButton, Select, TextArea, TextInput } from '../../parts/index.ts';
import type { FlagInfo } from '../../host.ts';
import styles from './Settings.module.css';

interface FlagRowProps {
  readonly flag: FlagInfo;
  /** Missing where the flag is not given. */
  readonly values: readonly string[] | undefined;
  /** The id of the list of files that there are. */
  readonly fileList: string;
  readonly problem: string | undefined;
  readonly onValues: (values: readonly string[]) => void;
}

/** One flag: what it is for, what it is by itself, and what it was given. */
export function FlagRow({ flag, values, fileList, problem, onValues }: FlagRowProps) {
  const id = useId();
  const given = values !== undefined;
  const ids = { id: id, 'aria-describedby': `${id}-about`, 'aria-invalid': problem !== undefined };
  return (
    <li className={styles.row} data-given={given || undefined} data-inert={flag.noEffect !== undefined || undefined}>
      <div className={styles.words}>
        <label className={styles.name} htmlFor={id}>
          --{flag.name}
        </label>
        <Badge>{flag.type}</Badge>
        {flag.deprecated !== undefined && <Badge>deprecated</Badge>}
        {flag.noEffect !== undefined && <Badge>no effect in a tab</Badge>}
      </div>
      <div className={styles.control}>
        <Control flag={flag} values={values ?? []} fileList={fileList} ids={ids} onValues={onValues} />
        {given && <IconButton icon={RotateCcw} label="Back to the default" onClick={() => onValues([])} />}
      </div>
      <div id={`${id}-about`} className={styles.about}>
        {problem !== undefined && <p className={styles.problem}>{problem}</p>}
        <p>{flag.help}</p>
        <Standard flag={flag} given={given} />
        {flag.deprecated !== undefined && <p>Deprecated: {flag.deprecated}</p>}
        {flag.noEffect !== flag.deprecated && <p className={styles.reason}>{flag.noEffect}</p>}
      </div>
    </li>
  );
}

/** What counts where the flag is not given; an empty control shows the default itself. */
function Standard({ flag, given }: { readonly flag: FlagInfo; readonly given: boolean }) {
  if (flag.supplied !== undefined)
    return (
      <p>
        This cluster sets <code>{flag.supplied}</code>.
      </p>
    );
  if (flag.default === '' || !given) return null;
  return (
    <p>
      By default <code>{flag.default}</code>.
    </p>
  );
}

interface ControlProps {
  readonly flag: FlagInfo;
  readonly values: readonly string[];
  readonly fileList: string;
  readonly ids: { readonly id: string; readonly 'aria-describedby': string; readonly 'aria-invalid': boolean };
  readonly onValues: (values: readonly string[]) => void;
}

/** Values of these are parted by commas within one argument; others that take several take one argument for each. */
const IN_ONE = ['list', 'features', 'API versions'];

/** The control that suits the flag's type; an empty one stands for the default. */
function Control({ flag, values, fileList, ids, onValues }: ControlProps): ReactElement {
  const choices = flag.isSwitch ? ['true', 'false'] : flag.choices;
  const fallback = flag.supplied ?? (flag.default === '' ? 'not set' : flag.default);
  const [value = ''] = values;
  // A value that is none of the choices is left to be edited as text.
  if (choices && values.length <= 1 && (value === '' || choices.includes(value)))
    return (
      <Select
        {...ids}
        className={styles.input}
        value={value}
        options={[
          { value: '', label: `${fallback} (default)` },
          ...choices.map((choice) => ({ value: choice, label: choice })),
        ]}
        onValue={(next) => onValues(next === '' ? [] : [next])}
      />
    );
  if (flag.several && !IN_ONE.includes(flag.type))
    return (
      <TextArea
        {...ids}
        rows={Math.max(1, values.length)}
        className={styles.lines}
        placeholder={fallback}
        value={values.join('\n')}
        onText={(text) => onValues(text === '' ? [] : text.split('\n'))}
      />
    );
  return (
    <TextInput
      {...ids}
      code
      className={styles.input}
      list={flag.isFile ? fileList : undefined}
      placeholder={fallback}
      value={values.join(',')}
      onText={(text) => onValues(text === '' ? [] : [text])}
    />
  );
}
