import { Check, Copy as CopyIcon } from 'lucide-preact';
import { useState } from 'preact/compat';
import { IconButton } from './Button.tsx';
import { orToast } from './Toast.tsx';
import styles from './Aloud.module.css';

const SHOWN = 1500;

/** Puts a text on the clipboard and says so. */
export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string | (() => string);
  readonly label?: string;
}) {
  const [copied, setCopied] = useState(false);
  const copy = (): Promise<boolean> =>
    orToast('It was not copied.', async () => {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN);
    });
  return (
    <>
      <IconButton icon={copied ? Check : CopyIcon} label={copied ? 'Copied' : label} onClick={() => void copy()} />
      <span role="status" className={styles.aloud}>
        {copied && 'Copied'}
      </span>
    </>
  );
}
