import { ChevronDown } from 'lucide-preact';
import type { PartialInputHTMLAttributes, PartialSelectHTMLAttributes } from 'preact';
import { useId, type ComponentProps, type ReactElement, type ReactNode } from 'preact/compat';
import type { Plain } from './attributes.ts';
import { useControlled } from './controlled.ts';
import { cx } from './cx.ts';
import styles from './Field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Gets the ids that tie the control to its label and its texts. */
  readonly children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactElement;
}

/** A control with its label above, a hint below, and in its place an error when there is one. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': note, 'aria-invalid': error !== undefined })}
      <p id={note} className={cx(styles.note, error !== undefined && styles.error)} aria-live="polite">
        {error ?? hint}
      </p>
    </div>
  );
}

interface TextInputProps extends Omit<
  Plain<PartialInputHTMLAttributes<HTMLInputElement>>,
  'list' | 'onChange' | 'role' | 'type'
> {
  /** The id of what it suggests. */
  readonly list?: string | undefined;
  readonly onText: (text: string) => void;
  readonly code?: boolean;
}

export function TextInput({ onText, code, list, className, ...rest }: TextInputProps) {
  const change = useControlled(onText);
  return (
    <input
      type="text"
      list={list}
      autoComplete="off"
      autoCapitalize="none"
      spellcheck={false}
      {...rest}
      className={cx(styles.control, code && styles.code, className)}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

type NumberFieldProps = Omit<FieldProps, 'children'> & Omit<TextInputProps, 'code'>;

/** A number that one types: its label above, hint or error below; a phone shows its digits. */
export function NumberField({ label, hint, error, ...input }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <TextInput {...ids} inputMode="numeric" {...input} />}
    </Field>
  );
}

interface TextAreaProps extends Omit<Plain<ComponentProps<'textarea'>>, 'onChange'> {
  readonly onText: (text: string) => void;
}

export function TextArea({ onText, className, ...rest }: TextAreaProps) {
  const change = useControlled(onText);
  return (
    <textarea
      spellcheck={false}
      {...rest}
      className={cx(styles.control, styles.area, styles.code, className)}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
}

interface SelectProps<V extends string> extends Omit<
  Plain<PartialSelectHTMLAttributes<HTMLSelectElement>>,
  'onChange' | 'role' | 'size' | 'value'
> {
  readonly value: V;
  readonly options: readonly Option<V>[];
  readonly onValue: (value: V) => void;
}

/** The browser's own list: it works with every keyboard, finger and reader. */
export function Select<V extends string>({ value, options, onValue, className, ...rest }: SelectProps<V>) {
  const choose = useControlled((text: string) => {
    const option = options.find((candidate) => candidate.value === text);
    if (option) onValue(option.value);
  });
  // Without an option that is chosen it would be empty.
  const shown = options.some((option) => option.value === value) ? value : options[0]?.value;
  return (
    <span className={cx(styles.select, className)}>
      <select
        {...rest}
        value={shown}
        className={styles.control}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown className={styles.chevron} aria-hidden />
    </span>
  );
}
