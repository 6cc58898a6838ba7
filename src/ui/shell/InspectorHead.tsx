import { X } from 'lucide-preact';
import { useEffect, useRef, type ReactNode, type RefObject } from 'preact/compat';
import { CopyButton, cx, IconButton, useHotkey } from '../parts/index.ts';
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

/** A key leads from anywhere into the inspector, and back to where one was; so does closing it. */
function useEntry(heading: RefObject<HTMLElement | null>): void {
  const cameFrom = useRef<HTMLElement>(undefined);
  const enterOrLeave = (): void => {
    const focused = document.activeElement;
    if (heading.current?.closest('aside')?.contains(focused)) return cameFrom.current?.focus();
    if (focused instanceof HTMLElement) cameFrom.current = focused;
    heading.current?.focus();
  };
  useHotkey('i', enterOrLeave, 'Go to what is open at the side, or back');
  useEffect(() => {
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && focused !== document.body) cameFrom.current ??= focused;
    // What goes still has the focus then: it is lost a moment later.
    return () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body) cameFrom.current?.focus();
      });
  }, []);
}

/** The head of an inspector: kind, name, and what can be done with the thing. */
export function InspectorHead({ kind, name, plain, actions }: InspectorHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEntry(heading);
  return (
    <header className={styles.head}>
      <div className={styles.words}>
        <p className={styles.kind}>{kind}</p>
        <h2 ref={heading} tabIndex={-1} className={cx(styles.name, plain && styles.plain)}>
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
