import { Check, Copy as CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './Button.tsx';

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
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN);
  };
  return <IconButton icon={copied ? Check : CopyIcon} label={copied ? 'Copied' : label} onClick={() => void copy()} />;
}
