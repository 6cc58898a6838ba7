import { Ident } from '../../parts/index.ts';
import { asList, asText, at } from '../../stores/jsonValues.ts';
import styles from './AuthorizationProof.module.css';

const subjectText = (subject: unknown): string => {
  const namespace = asText(at(subject, 'namespace'));
  return `${asText(at(subject, 'kind'))} ${namespace && `${namespace}/`}${asText(at(subject, 'name'))}`;
};

const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(valueText).join(', ') || 'nothing';
  if (typeof value === 'object' && value !== null)
    return at(value, 'name') === undefined ? JSON.stringify(value) : subjectText(value);
  return asText(value) || '“”';
};

/** One thing that keeps a rule from allowing a request: what it has, what it would need. */
export function MissSentence({ difference }: { readonly difference: unknown }) {
  const part = asText(at(difference, 'part'));
  const needs = valueText(at(difference, 'needs'));
  const has = valueText(at(difference, 'has'));
  if (part === 'binding') return <p className={styles.differs}>Nobody is bound to this role here.</p>;
  if (part === 'subject') {
    return (
      <p className={styles.differs}>
        <b>subject</b> is <Ident>{asList(at(difference, 'has')).map(subjectText).join(', ') || 'nobody'}</Ident>, not{' '}
        <Ident>{needs}</Ident>
      </p>
    );
  }
  return (
    <p className={styles.differs}>
      <b>{part}</b> is <Ident>{has}</Ident>, not <Ident>{needs}</Ident>
    </p>
  );
}
