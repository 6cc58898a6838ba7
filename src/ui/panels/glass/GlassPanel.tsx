import { Camera, X } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import { Button, IconButton, later, Switch, Toolbar } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useCluster } from '../../stores/session.ts';
import { useFollowedPods, useGlass, useKindOf, useMoment } from './hooks.ts';
import { Legend } from './Legend.tsx';
import { LogPane } from './LogPane.tsx';
import { Picture } from './Picture.tsx';
import { PlayerBar } from './PlayerBar.tsx';
import { followedText } from './words.ts';
import styles from './GlassPanel.module.css';

const FilmButtons = later(() => import('./film/FilmButtons.tsx'), null);
const StoryOrSummary = later(() => import('./StoryOrSummary.tsx'));

/** The whole control plane at work, drawn from its trace. */
export default function GlassPanel() {
  const glass = useGlass();
  const followed = useAddress(({ query }) => query['follow'] ?? '');
  useFollowedPods(glass);
  useMoment(glass);
  // Who follows something needs the part that knows stories, which does it.
  useEffect(() => {
    if (followed === '') glass.follow('');
  }, [glass, followed]);
  return (
    <div className={styles.panel}>
      <Head followed={followed} />
      <div className={styles.body}>
        <div className={styles.main}>
          <Picture />
          <PlayerBar />
        </div>
        <aside className={styles.side}>
          <Words followed={followed} />
        </aside>
      </div>
    </div>
  );
}

/** The same as the picture, as text. */
function Words({ followed }: { readonly followed: string }) {
  const { folded } = useGlass().engine;
  return followed === '' && !folded ? <LogPane /> : <StoryOrSummary followed={followed} />;
}

function Head({ followed }: { readonly followed: string }) {
  const glass = useGlass();
  const kindOf = useKindOf();
  const { past } = useCluster();
  const [wantsFilm, setWantsFilm] = useState(false);
  const note = past
    ? 'This is the past, as far as it was recorded. Step forward to see what came next'
    : 'Every request: who sends it, what checks it, who reacts';
  const { recording } = glass.engine;
  const shown =
    followed === '' ? (
      <span className={styles.note}>{note}</span>
    ) : (
      `Only the story of ${followedText(followed, kindOf)}`
    );
  return (
    <Toolbar title="Glass" note={shown}>
      {followed !== '' && (
        <Button icon={X} onClick={() => go({ query: { follow: undefined } })}>
          Show everything
        </Button>
      )}
      <Switch
        label="Background"
        checked={recording.background}
        onChecked={(on) => glass.act(() => (recording.background = on))}
      />
      {wantsFilm ? (
        <FilmButtons />
      ) : (
        <IconButton icon={Camera} label="Picture or video" onClick={() => setWantsFilm(true)} />
      )}
      <Legend />
    </Toolbar>
  );
}
