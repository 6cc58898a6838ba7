import { useMemo } from 'preact/compat';
import { adviseOn } from '../../../network/index.ts';
import { Note } from './Note.tsx';
import { cx } from '../../parts/index.ts';
import type { LiveNetwork } from '../../stores/network.ts';
import type { NetworkDraft } from './draft.ts';
import { NamePane } from './NamePane.tsx';
import { PacketPane } from './PacketPane.tsx';
import { countEffects, effectText, type Picture } from './picture.ts';
import { SincePane } from './SincePane.tsx';
import styles from './SidePane.module.css';

interface SidePaneProps {
  readonly network: LiveNetwork;
  readonly draft: NetworkDraft | undefined;
  readonly picture: Picture;
}

/** Beside the picture: what the draft in the editor would do, and the way of one packet. */
export function SidePane({ network, draft, picture }: SidePaneProps) {
  return (
    <aside className={styles.pane} aria-label="Details">
      {draft && <DraftEffect draft={draft} picture={picture} />}
      <PacketPane network={network} draft={draft} picture={picture} />
      <NamePane network={network} picture={picture} />
      <SincePane network={network} port={picture.port} />
      <Legend drafting={draft !== undefined} />
    </aside>
  );
}

function DraftEffect({ draft, picture }: { readonly draft: NetworkDraft; readonly picture: Picture }) {
  const effect = useMemo(() => effectText(countEffects(picture)), [picture]);
  const advice = useMemo(() => draft.policies.flatMap((policy) => adviseOn(policy, draft.view)), [draft]);
  return (
    <section className={styles.section} aria-labelledby="network-draft">
      <h2 id="network-draft" className={styles.title}>
        The draft {effect}
      </h2>
      <p className={styles.about} aria-live="polite">
        At {picture.port.replace('/', ' ')}, before anything is applied. Marked in the picture.
      </p>
      {advice.map(({ text, path, mistake, look }) => (
        <Note key={`${mistake} ${path}`} look={look} place={path}>
          {text}
        </Note>
      ))}
    </section>
  );
}

function Legend({ drafting }: { readonly drafting: boolean }) {
  return (
    <div className={styles.legend}>
      <dl>
        <Key look="all" text="allowed" />
        <Key look="none" text="denied by a policy" />
        <Key look="some" text="one way, or for some pods" />
        {drafting && <Key look="opens" text="the draft opens it" />}
        {drafting && <Key look="closes" text="the draft closes it" />}
      </dl>
      <p className={styles.about}>Strong lines are connections that were made. Faint ones are possible, or denied.</p>
    </div>
  );
}

function Key({ look, text }: { readonly look: 'all' | 'none' | 'some' | 'opens' | 'closes'; readonly text: string }) {
  return (
    <div className={styles.key}>
      <dt className={cx(styles.sample, styles[look])} />
      <dd>{text}</dd>
    </div>
  );
}
