/** A small picture for each scenario: what it is about, without words. */
import type { ReactNode } from 'preact/compat';
import type { ScenarioId } from '../../scenarios/list.ts';
import styles from './pictures.module.css';

function Frame({ children }: { readonly children: ReactNode }) {
  return (
    <svg className={styles.picture} viewBox="0 0 160 72" aria-hidden>
      {children}
    </svg>
  );
}

interface BoxProps {
  readonly x: number;
  readonly y?: number;
  readonly pods?: number;
  readonly look?: string | undefined;
}

const POD = 12;

/** A node with its pods in two columns. */
function NodeBox({ x, y = 11, pods = 0, look }: BoxProps) {
  return (
    <g className={look}>
      <rect className={styles.box} x={x} y={y} width={36} height={50} rx={4} />
      {Array.from({ length: pods }, (_, index) => (
        <Pod key={index} x={x + 6 + (index % 2) * 14} y={y + 8 + Math.floor(index / 2) * 14} />
      ))}
    </g>
  );
}

function Pod({
  x,
  y,
  look = styles.pod,
}: {
  readonly x: number;
  readonly y: number;
  readonly look?: string | undefined;
}) {
  return <rect className={look} x={x} y={y} width={POD - 2} height={POD - 2} rx={2} />;
}

/** A request that stops at a ring of the server. */
const Refused = () => (
  <Frame>
    <circle className={styles.person} cx={22} cy={28} r={7} />
    <path className={styles.person} d="M10 50 a12 12 0 0 1 24 0 z" />
    <path className={styles.deniedLine} d="M42 36 H82" />
    <path className={styles.stop} d="M84 29 l12 14 m0 -14 l-12 14" />
    <circle className={styles.box} cx={126} cy={36} r={24} />
    <circle className={styles.ring} cx={126} cy={36} r={15} />
    <circle className={styles.pod} cx={126} cy={36} r={5} />
  </Frame>
);

/** A pod before nodes that don't take it. */
const Pending = () => (
  <Frame>
    <Pod x={10} y={31} look={styles.waiting} />
    <path className={styles.waitingLine} d="M24 36 H36" />
    <NodeBox x={42} pods={4} />
    <NodeBox x={82} pods={6} />
    <NodeBox x={122} pods={3} />
  </Frame>
);

/** Old pods that stay, since new ones don't start. */
const Rollout = () => (
  <Frame>
    <rect className={styles.box} x={12} y={8} width={136} height={24} rx={4} />
    <rect className={styles.box} x={12} y={40} width={136} height={24} rx={4} />
    {[0, 1, 2].map((at) => (
      <Pod key={at} x={22 + at * 18} y={15} />
    ))}
    {[0, 1].map((at) => (
      <Pod key={at} x={22 + at * 18} y={47} look={styles.failed} />
    ))}
    <path className={styles.stop} d="M126 45 l12 14 m0 -14 l-12 14" />
  </Frame>
);

/** A namespace that is on its way out, and the one thing that holds it. */
const Terminating = () => (
  <Frame>
    <rect className={styles.leaving} x={30} y={8} width={100} height={56} rx={6} />
    <Pod x={46} y={18} look={styles.gone} />
    <Pod x={66} y={18} look={styles.gone} />
    <Pod x={86} y={18} look={styles.gone} />
    <rect className={styles.waiting} x={70} y={44} width={20} height={13} rx={2} />
    <path className={styles.lock} d="M74 44 v-4 a6 6 0 0 1 12 0 v4" />
  </Frame>
);

/** A node that is off, and its pods' new place. */
const Outage = () => (
  <Frame>
    <NodeBox x={14} pods={6} />
    <NodeBox x={62} pods={0} look={styles.off} />
    <path className={styles.stop} d="M74 29 l12 14 m0 -14 l-12 14" />
    <NodeBox x={110} pods={6} />
  </Frame>
);

/** More nodes than one can count. */
const Large = () => (
  <Frame>
    {Array.from({ length: 44 }, (_, at) => (
      <Pod key={at} x={9 + (at % 11) * 13} y={11 + Math.floor(at / 11) * 13} />
    ))}
  </Frame>
);

/** Steps, two of them done. */
export const LessonsPicture = () => (
  <Frame>
    {[0, 1, 2].map((at) => (
      <rect key={at} className={styles.box} x={28 + at * 36} y={44 - at * 16} width={32} height={20 + at * 16} rx={3} />
    ))}
    <Pod x={39} y={30} />
    <Pod x={75} y={14} />
    <rect className={styles.gone} x={111} y={0.5} width={10} height={10} rx={2} />
  </Frame>
);

export const pictures: Readonly<Record<Exclude<ScenarioId, 'shop'>, () => ReactNode>> = {
  refused: Refused,
  pending: Pending,
  rollout: Rollout,
  terminating: Terminating,
  outage: Outage,
  large: Large,
};
