import { ChevronDown, type LucideIcon } from 'lucide-preact';
import type { ComponentProps } from 'preact/compat';
import { cx, type Plain } from '../parts/index.ts';
import styles from './Question.module.css';

interface QuestionProps extends Plain<ComponentProps<'button'>> {
  readonly icon: LucideIcon;
  /** What is asked: `Cluster`, `Namespace`. Read aloud before the answer. */
  readonly question: string;
  readonly answer: string;
  /** The answer is not the usual one, and that should be seen. */
  readonly special?: boolean;
}

/** One of the top bar's questions with its present answer; pressing it offers others. */
export function Question({ icon: Icon, question, answer, special, className, ...rest }: QuestionProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(styles.question, special && styles.special, className)}
      aria-label={`${question}: ${answer}`}
    >
      <Icon className={styles.icon} aria-hidden />
      <span className={styles.answer}>{answer}</span>
      <ChevronDown className={styles.chevron} aria-hidden />
    </button>
  );
}
