import type { ApiObject } from '../../../../schema/index.ts';
import { Facts } from '../../../parts/index.ts';
import { asRecord, asText } from '../../../stores/jsonValues.ts';
import type { Description } from './description.ts';
import styles from './describe.module.css';

const bytesIn = (value: unknown, encoded: boolean): number => {
  const text = asText(value);
  return encoded ? Math.floor((text.replace(/=+$/, '').length * 3) / 4) : new TextEncoder().encode(text).length;
};

const LONGEST = 400;

/** The keys of a config map with their values; of a secret with their sizes only. */
export function describeConfiguration(object: ApiObject): readonly Description[] {
  const secret = object.kind === 'Secret';
  const entries = Object.entries(asRecord(object['data']));
  const facts = entries.map(([key, value]) => {
    const shown = secret ? (
      <span className={styles.note}>{bytesIn(value, true)} bytes</span>
    ) : (
      <pre className={styles.value}>{asText(value).slice(0, LONGEST)}</pre>
    );
    return [key, shown] as const;
  });
  const type = secret ? [['Type', asText(object['type'])] as const] : [];
  return [
    ...(type.length > 0 ? [{ title: 'Secret', content: <Facts facts={type} /> }] : []),
    ...(facts.length > 0 ? [{ title: 'Data', content: <Facts facts={facts} /> }] : []),
  ];
}
