import { OctagonX } from 'lucide-preact';
import { cx } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { placeIn } from './canvas/geometry.ts';
import { useGlass } from './hooks.ts';
import type { RecordedRequest } from './model/recording.ts';
import { stages } from './model/stages.ts';
import { shownStops } from './model/stops.ts';
import styles from './Stops.module.css';

/** What was refused lately, at the stage that refused it, with the reason. */
export default function Stops() {
  const { engine, scene } = useGlass();
  const { picture, recording } = engine;
  return shownStops(picture, recording).map(({ recorded, stop, lane }) => {
    const place = placeIn(scene.plan, stop.stage, lane);
    return place && <StopMark key={recorded.id} recorded={recorded} x={place.x} y={place.y} />;
  });
}

/** In pixels, what the words take at most. */
const WIDTH = 250;

function StopMark({ recorded, x, y }: { readonly recorded: RecordedRequest; readonly x: number; readonly y: number }) {
  const address = useAddress();
  const { scene } = useGlass();
  const { stop, id, status } = recorded;
  if (!stop) return null;
  const { width, narrow, boxes } = scene.plan;
  const server = boxes.get('server');
  // Where there is no room to the right, the words stand to the left.
  const flipped = server !== undefined && !narrow && x + WIDTH > server.x + server.width;
  const at = flipped ? { right: width - x - 11, top: y } : { left: narrow ? width * 0.34 : x - 11, top: y };
  const title = stages.find(({ stage }) => stage === stop.stage)?.title;
  return (
    <a
      className={cx(styles.stop, flipped && styles.flipped)}
      style={at}
      href={hrefOf({ query: { sel: `request:${id}`, tab: undefined } }, address)}
      onClick={(event) => event.stopPropagation()}
      title={stop.message ?? stop.reason}
    >
      <OctagonX className={styles.icon} aria-hidden />
      <span>
        <strong>
          {title} {status}
        </strong>{' '}
        {stop.reason}
      </span>
    </a>
  );
}
