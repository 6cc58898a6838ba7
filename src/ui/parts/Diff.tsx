import { diffLines } from 'diff';
import { useMemo } from 'preact/compat';
import { cx } from './cx.ts';
import styles from './Diff.module.css';

export interface DiffLine {
  readonly as: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

const CONTEXT = 3;

/** Lines that are the same in both, but for those around a change, become one line that counts them. */
function withoutMiddle(lines: readonly string[], first: boolean, last: boolean): DiffLine[] {
  const same = (line: string): DiffLine => ({ as: 'same', text: line });
  const head = first ? 0 : CONTEXT;
  const tail = last ? 0 : CONTEXT;
  const hidden = lines.length - head - tail;
  if (hidden <= 1) return lines.map(same);
  const gap: DiffLine = { as: 'gap', text: `${hidden} lines` };
  return [...lines.slice(0, head).map(same), gap, ...lines.slice(lines.length - tail).map(same)];
}

/** The lines of a comparison. Equal texts come back whole. */
export function compareLines(before: string, after: string): readonly DiffLine[] {
  const parts = diffLines(before, after);
  const whole = parts.every((part) => !part.added && !part.removed);
  return parts.flatMap((part, index): DiffLine[] => {
    const lines = part.value.replace(/\n$/, '').split('\n');
    if (part.added) return lines.map((text) => ({ as: 'added', text }));
    if (part.removed) return lines.map((text) => ({ as: 'removed', text }));
    return whole
      ? lines.map((text) => ({ as: 'same', text }))
      : withoutMiddle(lines, index === 0, index === parts.length - 1);
  });
}

const signs = { same: ' ', added: '+', removed: '−', gap: '⋯' } as const;

/** Two texts, and what changed from one to the other. */
export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = useMemo(() => compareLines(before, after), [before, after]);
  return (
    <pre className={styles.diff} tabIndex={0}>
      {lines.map((line, index) => (
        <span key={index} className={cx(styles.line, styles[line.as])}>
          <span className={styles.sign} aria-label={line.as === 'same' ? undefined : line.as}>
            {signs[line.as]}
          </span>
          {line.text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
