/** Texts of lessons: paragraphs, with code between backticks. They are data: nothing in them becomes markup. */
import styles from './lesson.module.css';

export function Inline({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className={styles.code}>
        {part}
      </code>
    ) : (
      part
    ),
  );
}

export function Prose({ text, id }: { readonly text: readonly string[]; readonly id?: string }) {
  return (
    <div id={id} className={styles.prose}>
      {text.map((paragraph, index) => (
        <p key={index}>
          <Inline text={paragraph} />
        </p>
      ))}
    </div>
  );
}
