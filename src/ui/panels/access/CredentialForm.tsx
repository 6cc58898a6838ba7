import { KeyRound } from 'lucide-preact';
import { useState, type FormEvent, type ReactNode } from 'preact/compat';
import { Button, Field, Select } from '../../parts/index.ts';
import styles from './CredentialForm.module.css';

interface CredentialFormProps {
  /** What the button says. */
  readonly action: string;
  /** Why it can't be done now. */
  readonly unavailable: string | false;
  readonly onSubmit: () => Promise<void>;
  /** Buttons beside the main one. */
  readonly more?: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form by which a credential is asked for. */
export function CredentialForm({ action, unavailable, onSubmit, more, children }: CredentialFormProps) {
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLElement>): Promise<void> => {
    event.preventDefault();
    if (unavailable || busy) return;
    setBusy(true);
    await onSubmit();
    setBusy(false);
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      {children}
      <Button type="submit" look="primary" icon={KeyRound} busy={busy} unavailable={unavailable}>
        {action}
      </Button>
      {more}
    </form>
  );
}

/** In seconds; the server gives no token for less than ten minutes. */
const LIFETIMES = [
  { value: '600', label: '10 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
] as const;

/** How long a credential is good for; `seconds` as a text, one of those that are offered. */
export function LifetimeField({
  seconds,
  onSeconds,
}: {
  readonly seconds: string;
  readonly onSeconds: (seconds: string) => void;
}) {
  return (
    <Field label="Lasts" hint="By the cluster’s clock">
      {(ids) => <Select {...ids} value={seconds} options={LIFETIMES} onValue={onSeconds} />}
    </Field>
  );
}
