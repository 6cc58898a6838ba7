import { SquarePen } from 'lucide-preact';
import { Button } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { countEffects, effectText, type Picture } from './picture.ts';
import styles from './DraftBar.module.css';

/** Above the picture while the draft is looked at without its editor, as on a phone: what the draft does, and the way back. */
export function DraftBar({ picture }: { readonly picture: Picture }) {
  const draft = useAddress(({ query }) => query['draft']);
  const selection = useAddress(({ query }) => query['sel']);
  if (draft === undefined || selection?.startsWith('editor:')) return null;
  return (
    <div className={styles.line}>
      <p className={styles.effect}>The draft {effectText(countEffects(picture))}</p>
      <Button icon={SquarePen} onClick={() => go({ query: { sel: `editor:${draft}`, draft: undefined } })}>
        Back to the editor
      </Button>
    </div>
  );
}
