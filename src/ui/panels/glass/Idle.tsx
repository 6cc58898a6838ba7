import { RotateCcw } from 'lucide-preact';
import { Button } from '../../parts/index.ts';
import type { Glass } from './glass.ts';
import { useGlass } from './hooks.ts';
import { lastChange } from './model/lines.ts';
import { shownStops } from './model/stops.ts';
import styles from './Picture.module.css';

/** What stands in the API server while nothing happens: what would be seen, and the way to see it again. */
export function Idle() {
  const glass = useGlass();
  const { picture, recording, folded } = glass.engine;
  if (folded || glass.moves || picture.tokens.size > 0 || shownStops(picture, recording).length > 0) return null;
  return (
    <div className={styles.idle} data-no-picture>
      <p>
        Nothing is happening now.{' '}
        <span className={styles.idleMore}>
          A request enters on the left and passes each stage, or is stopped there. A write becomes a new revision, and
          everything on the right that watches it is notified.
        </span>
      </p>
      <Replay glass={glass} />
    </div>
  );
}

function Replay({ glass }: { readonly glass: Glass }) {
  const { engine } = glass;
  const from = engine.behind === 0 ? lastChange(engine.recording) : undefined;
  if (from === undefined) return null;
  return (
    <Button icon={RotateCcw} onClick={() => glass.act(() => engine.replay(from))}>
      Replay the last change slowly
    </Button>
  );
}
