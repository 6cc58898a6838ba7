import styles from './Mark.module.css';

/** The sign of the house: something in a glass case. */
export function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 24 24" fill="none" aria-hidden>
      <path d="M4 8.5 12 4l8 4.5v7L12 20l-8-4.5z" stroke="var(--accent)" strokeWidth="1.5" strokeLinejoin="round" />
      <path
        d="M4 8.5 12 13l8-4.5M12 13v7"
        stroke="var(--accent)"
        strokeWidth="1.5"
        strokeLinejoin="round"
        opacity="0.45"
      />
      <circle cx="12" cy="12.25" r="2.5" fill="var(--accent)" />
    </svg>
  );
}
