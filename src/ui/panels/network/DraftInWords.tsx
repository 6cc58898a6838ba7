import { Network } from 'lucide-preact';
import { Button, cx } from '../../parts/index.ts';
import { useNarrow } from '../../parts/narrow.ts';
import { go } from '../../stores/address.ts';
import { useNetwork } from '../../stores/network.ts';
import { useNetworkDraft } from './draft.ts';
import { countEffects, effectText } from './picture.ts';
import { usePicture } from './usePicture.ts';
import styles from './DraftBar.module.css';

/** Where the picture is out of sight: what the policies in the editor would do, in words, and the way to the picture. */
export default function DraftInWords({ selection }: { readonly selection: string }) {
  const narrow = useNarrow();
  const network = useNetwork();
  const draft = useNetworkDraft(network);
  const picture = usePicture(network, draft);
  if (!network.ready || !draft) return null;
  // On a phone the editor lies over the picture: it closes, and the address remembers whose draft is shown.
  const shown = narrow ? { sel: undefined, tab: undefined, draft: selection } : {};
  return (
    <div className={cx(styles.line, styles.foot)}>
      <p className={styles.effect} aria-live="polite">
        Applied, it {effectText(countEffects(picture))} at {picture.port.replace('/', ' ')}.
      </p>
      <Button icon={Network} onClick={() => go({ panel: 'network', query: shown })}>
        Show it
      </Button>
    </div>
  );
}
