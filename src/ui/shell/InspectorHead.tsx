import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton, cx, IconButton } from '../parts/index.ts';
import { go } from '../stores/address.ts';
import styles from './InspectorHead.module.css';

interface InspectorHeadProps {
  /** What kind of thing it is, and where. */
  readonly kind: ReactNode;
  readonly name: string;
  /** The name is a heading of the page's own, not an identifier. */
  readonly plain?: boolean;
  readonly actions?: ReactNode;
}

/** The head of an inspector: kind, name, and what can be done with the thing. */
export function InspectorHead({ kind, name, plain, actions }: InspectorHeadProps) {
  return (
    <header className={styles.head}>
      <div className={styles.words}>
        <p className={styles.kind}>{kind}</p>
        <h2 className={cx(styles.name, plain && styles.plain)}>
          {name}
          {!plain && <CopyButton text={name} label="Copy name" />}
        </h2>
      </div>
      <div className={styles.actions}>
        {actions}
        <IconButton
          icon={X}
          label="Close"
          keys="esc"
          onClick={() => go({ query: { sel: undefined, tab: undefined } })}
        />
      </div>
    </header>
  );
}
