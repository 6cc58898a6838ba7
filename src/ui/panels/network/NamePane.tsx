import { useMemo } from 'preact/compat';
import { explainLookup } from '../../../explain/index.ts';
import { Select, TextInput } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import type { LiveNetwork } from '../../stores/network.ts';
import { Steps } from './Steps.tsx';
import type { Picture } from './picture.ts';
import styles from './SidePane.module.css';

interface NamePaneProps {
  readonly network: LiveNetwork;
  readonly picture: Picture;
}

/** What a name stands for from a pod, question by question. */
export function NamePane({ network: { view, version }, picture: { workloads } }: NamePaneProps) {
  const { from = '', name = '' } = useAddress(({ query }) => query);
  const inside = useMemo(() => workloads.filter(({ pods }) => pods.length > 0), [workloads]);
  const pod = inside.find(({ key }) => key === from)?.pods[0];
  const answer = useMemo(
    () => (pod && name !== '' ? explainLookup(name, pod, view) : undefined),
    // The view is the same object after each change; its version says that it has changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [pod, name, view, version],
  );
  const askers = inside.map(({ key, namespace, name: own }) => ({ value: key, label: `${namespace}/${own}` }));
  return (
    <section className={styles.section} aria-labelledby="network-name">
      <h2 id="network-name" className={styles.title}>
        Look up a name
      </h2>
      <div className={styles.lookup}>
        <Select
          aria-label="Pod that asks"
          value={pod ? from : ''}
          options={[{ value: '', label: 'Pod…' }, ...askers]}
          onValue={(value) => go({ query: { from: value || undefined } }, true)}
        />
        <TextInput
          aria-label="Name to look up"
          placeholder="name"
          list="network-names"
          code
          value={name}
          onText={(text) => go({ query: { name: text.trim() || undefined } }, true)}
        />
      </div>
      {answer ? (
        <div className={styles.path} aria-live="polite">
          <p className={styles.sentence}>{answer.sentence}</p>
          <Steps steps={answer.steps} />
        </div>
      ) : (
        <p className={styles.about}>
          Choose a pod and write a name: you see which names it tries, by its search domains, and what each resolves to.
        </p>
      )}
    </section>
  );
}
