import { useState, type ReactNode } from 'preact/compat';
import { Field, TextInput } from '../../parts/index.ts';

interface DraftFieldProps<T> {
  readonly label: string;
  /** The value as text, while nobody edits it. */
  readonly text: string;
  /** Undefined for a text that is none. */
  readonly parse: (text: string) => T | undefined;
  readonly onValue: (value: T) => void;
  /** What such a text looks like. */
  readonly form: string;
  readonly hint?: ReactNode;
}

/** A field of a draft: what is typed becomes part of it as soon as it makes sense. */
export function DraftField<T>({ label, text, parse, onValue, form, hint }: DraftFieldProps<T>) {
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && parse(typed) === undefined;
  const type = (next: string): void => {
    setTyped(next);
    const value = parse(next);
    if (value !== undefined) onValue(value);
  };
  return (
    <Field label={label} hint={hint} error={isWrong ? `Write it like ${form}` : undefined}>
      {(ids) => (
        <TextInput
          {...ids}
          code
          value={typed ?? text}
          placeholder={form}
          onText={type}
          onBlur={() => (isWrong ? undefined : setTyped(undefined))}
        />
      )}
    </Field>
  );
}
