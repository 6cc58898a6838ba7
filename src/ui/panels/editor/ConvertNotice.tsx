import { Replace } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import { Button, toast } from '../../parts/index.ts';
import { convertText, type Converted } from '../../editor/convert.ts';
import { useResources, versionOf } from '../../stores/resources.ts';
import { theCluster } from '../../stores/session.ts';
import styles from './ConvertNotice.module.css';

const PAUSE = 300;
const SHOWN = 3;

/** What would have to change for this cluster to understand the text; asked a moment after the last key. */
function useConversion(text: string): Converted | undefined {
  const versions = useResources((state) => state.versions);
  const [converted, setConverted] = useState<Converted>();
  useEffect(() => {
    const timer = setTimeout(() => {
      const served = new Set(versions.map((each) => `${each.kind} ${versionOf(each)}`));
      const serves = (apiVersion: string, kind: string): boolean => served.has(`${kind} ${apiVersion}`);
      setConverted(served.size > 0 ? convertText(text, theCluster().names, serves) : undefined);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text, versions]);
  return converted;
}

/** Says that a text is written for other names or versions, and converts it. */
export function ConvertNotice({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const converted = useConversion(text);
  if (!converted) return null;
  const more = converted.changes.length - SHOWN;
  const convert = (): void => {
    onText(converted.text);
    if (converted.remarks.length > 0) toast('changed', 'Converted. Look at this:', converted.remarks.join(' '));
  };
  return (
    <section className={styles.notice} aria-label="Names and versions">
      <div className={styles.words}>
        <p>This was written for other names or versions than this cluster has.</p>
        <ul className={styles.changes}>
          {converted.changes.slice(0, SHOWN).map((change) => (
            <li key={change}>{change}</li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      </div>
      <Button icon={Replace} onClick={convert}>
        Convert
      </Button>
    </section>
  );
}
