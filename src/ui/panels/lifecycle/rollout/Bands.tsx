import { useMemo } from 'preact/compat';
import { Empty } from '../../../parts/index.ts';
import { ChartGantt } from 'lucide-preact';
import { placeIn, TimeAxis } from '../TimeAxis.tsx';
import { stretchOf, type Stretch } from '../stretch.ts';
import { bandsOf, countsOf, type BandStep, type PodLife } from './lives.ts';
import styles from './rollout.module.css';

const LOOKS = ['ready', 'changed', 'deleted', 'pending', 'allowed', 'completed'] as const;

interface BandsProps {
  readonly lives: readonly PodLife[];
  readonly now: number;
  /** The owners from bottom to top. */
  readonly names: readonly { readonly uid: string; readonly text: string }[];
  readonly limits: { readonly most: number; readonly least: number };
}

/** Ready pods of each owner as stacked bands, with the limits within which a roll-out has to stay. */
export function Bands({ lives, now, names, limits }: BandsProps) {
  const steps = useMemo(() => bandsOf(lives, now), [lives, now]);
  const counts = useMemo(() => countsOf(lives, now), [lives, now]);
  if (steps.length === 0)
    return (
      <Empty icon={ChartGantt} title="No pod was ready yet">
        Each ReplicaSet’s ready pods appear here as a band over time.
      </Empty>
    );
  const stretch = stretchOf(
    [...steps, ...counts].map(({ from }) => from),
    now,
  );
  const highest = Math.max(limits.most, ...counts.map(({ count }) => count), 1);
  const scale = highest * 1.1;
  const height = (count: number): number => 100 - (count / scale) * 100;
  return (
    <>
      <TimeAxis stretch={stretch}>
        <div className={styles.bandRow}>
          <div className={styles.bandNames}>
            <Limit top={height(limits.most)} text={`at most ${limits.most}`} />
            <Limit top={height(limits.least)} text={`at least ${limits.least}`} />
          </div>
          <svg
            className={styles.bands}
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            role="img"
            aria-label={inWords(steps, names)}
          >
            {names.map(({ uid, text }, i) => (
              <path
                key={uid}
                d={areaOf(steps, stretch, now, names.slice(0, i + 1), uid, height)}
                style={{ fill: `var(--${LOOKS[i % LOOKS.length]})` }}
                className={styles.band}
              >
                <title>{text}</title>
              </path>
            ))}
            <path className={styles.all} d={lineOf(counts, stretch, now, height)}>
              <title>all pods, ready or not</title>
            </path>
            <line className={styles.limit} x1="0" x2="100" y1={height(limits.most)} y2={height(limits.most)} />
            <line className={styles.limit} x1="0" x2="100" y1={height(limits.least)} y2={height(limits.least)} />
          </svg>
        </div>
      </TimeAxis>
      <ul className={styles.legend}>
        {names.map(({ uid, text }, i) => (
          <li key={uid} className={styles.key}>
            <span className={styles.swatch} style={{ background: `var(--${LOOKS[i % LOOKS.length]})` }} aria-hidden />
            {text}: {steps.at(-1)?.counts.get(uid) ?? 0} ready now
          </li>
        ))}
        <li className={styles.key}>
          <span className={styles.allKey} aria-hidden />
          all pods, ready or not: {counts.at(-1)?.count ?? 0} now
        </li>
      </ul>
    </>
  );
}

function Limit({ top, text }: { readonly top: number; readonly text: string }) {
  return (
    <span className={styles.limitName} style={{ top: `${top}%` }}>
      {text}
    </span>
  );
}

/** Steps as a line. */
function lineOf(
  steps: ReturnType<typeof countsOf>,
  stretch: Stretch,
  now: number,
  height: (count: number) => number,
): string {
  const points = steps.flatMap(({ from, count }, i) => [
    `${placeIn(stretch, from)} ${height(count)}`,
    `${placeIn(stretch, steps[i + 1]?.from ?? now)} ${height(count)}`,
  ]);
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

/** The area of one owner on top of those below it. */
function areaOf(
  steps: readonly BandStep[],
  stretch: Stretch,
  now: number,
  below: BandsProps['names'],
  uid: string,
  height: (count: number) => number,
): string {
  const upTo = ({ counts }: BandStep): number => below.reduce((sum, each) => sum + (counts.get(each.uid) ?? 0), 0);
  const tops: string[] = [];
  const bottoms: string[] = [];
  steps.forEach((step, i) => {
    const [from, to] = [placeIn(stretch, step.from), placeIn(stretch, steps[i + 1]?.from ?? now)];
    const top = upTo(step);
    const bottom = top - (step.counts.get(uid) ?? 0);
    tops.push(`${from} ${height(top)}`, `${to} ${height(top)}`);
    bottoms.push(`${from} ${height(bottom)}`, `${to} ${height(bottom)}`);
  });
  return `M${[...tops, ...bottoms.reverse()].join('L')}Z`;
}

/** The text equivalent of the picture. */
function inWords(steps: readonly BandStep[], names: BandsProps['names']): string {
  const last = steps.at(-1);
  const now = names.map(({ uid, text }) => `${text}: ${last?.counts.get(uid) ?? 0}`).join(', ');
  return `Ready pods over time in ${steps.length} steps. Now ${now}.`;
}
