import { useMemo } from 'preact/compat';
import { cx } from './cx.ts';
import { yamlTokens } from './yamlTokens.ts';
import styles from './Code.module.css';

interface CodeProps {
  readonly text: string;
  readonly language?: 'yaml' | 'plain';
  readonly numbers?: boolean;
  /** Lines to point at, counted from 1. */
  readonly marked?: ReadonlySet<number>;
  readonly wrap?: boolean;
}

/** A text in the code face, with the colours of YAML (JSON is YAML too). */
export function Code({ text, language = 'yaml', numbers, marked, wrap }: CodeProps) {
  const lines = useMemo(
    () =>
      language === 'yaml' ? yamlTokens(text.replace(/\n$/, '')) : text.split('\n').map((line) => [{ text: line }]),
    [text, language],
  );
  return (
    <pre className={cx(styles.code, numbers && styles.numbered, wrap && styles.wrap)} tabIndex={0}>
      {lines.map((tokens, index) => (
        <span key={index} className={cx(styles.line, marked?.has(index + 1) && styles.marked)}>
          {tokens.map((token, at) => (
            <span key={at} className={'as' in token && token.as ? styles[token.as] : undefined}>
              {token.text}
            </span>
          ))}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
