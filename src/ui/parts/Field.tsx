import { ChevronDown } from 'lucide-react';
import { useId, type ComponentProps, type ReactElement, type ReactNode } from 'react';
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

interface TextInputProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly onText: (text: string) => void;
  readonly code?: boolean;
}

export function TextInput({ onText, code, className, ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
      className={cx(styles.control, code && styles.code, className)}
      onChange={(event) => onText(event.target.value)}
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

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange'> {
  readonly onText: (text: string) => void;
}

export function TextArea({ onText, className, ...rest }: TextAreaProps) {
  return (
    <textarea
      spellCheck={false}
      {...rest}
      className={cx(styles.control, styles.area, styles.code, className)}
      onChange={(event) => onText(event.target.value)}
    />
  );
}

interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
}

interface SelectProps<V extends string> extends Omit<ComponentProps<'select'>, 'onChange' | 'value'> {
  readonly value: V;
  readonly options: readonly Option<V>[];
  readonly onValue: (value: V) => void;
}

/** The browser's own list: it works with every keyboard, finger and reader. */
export function Select<V extends string>({ value, options, onValue, className, ...rest }: SelectProps<V>) {
  const choose = (text: string): void => {
    const option = options.find((candidate) => candidate.value === text);
    if (option) onValue(option.value);
  };
  return (
    <span className={cx(styles.select, className)}>
      <select {...rest} value={value} className={styles.control} onChange={(event) => choose(event.target.value)}>
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
