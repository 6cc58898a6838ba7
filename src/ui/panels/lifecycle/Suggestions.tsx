import type { World } from '../../../explain/index.ts';
import { Button } from '../../parts/index.ts';
import { choose, useRefs } from './subject.ts';
import { suggested } from './suggested.ts';
import styles from './lifecycle.module.css';

/** Buttons for some objects to begin with. */
export function Suggestions({ world }: { readonly world: World }) {
  const refOf = useRefs();
  const offers = suggested(world).flatMap(({ apiVersion, kind, metadata: { uid, namespace, name = '' } }) => {
    const ref = refOf({ apiVersion, kind, namespace, name });
    return ref ? [{ uid, ref, text: `${kind} ${name}` }] : [];
  });
  return (
    <div className={styles.suggestions}>
      {offers.map(({ uid, ref, text }) => (
        <Button key={uid} onClick={() => choose(ref)}>
          {text}
        </Button>
      ))}
    </div>
  );
}
