import styles from './ShopPicture.module.css';

/** The demo's shop in small: the frontend asks the cart, the cart asks the database; the frontend itself may not. */
export function ShopPicture() {
  return (
    <svg className={styles.picture} viewBox="0 0 384 96" aria-hidden>
      <path className={styles.allowed} d="M96 48 H152 M232 48 H288" />
      <path className={styles.denied} d="M56 26 C110 2 274 2 328 26" />
      <path className={styles.stop} d="M187 3 l10 10 m0 -10 l-10 10" />
      <Workload x={16} name="frontend" pods={3} />
      <Workload x={152} name="cart" pods={2} />
      <Workload x={288} name="db" pods={1} />
    </svg>
  );
}

const WIDTH = 80;
const POD = 14;

function Workload({ x, name, pods }: { readonly x: number; readonly name: string; readonly pods: number }) {
  const first = x + WIDTH / 2 - (pods * POD) / 2;
  return (
    <g>
      <rect className={styles.box} x={x} y={28} width={WIDTH} height={52} rx={5} />
      <text className={styles.name} x={x + WIDTH / 2} y={46}>
        {name}
      </text>
      {Array.from({ length: pods }, (_, index) => (
        <rect key={index} className={styles.pod} x={first + index * POD + 2} y={58} width={10} height={10} rx={2} />
      ))}
    </g>
  );
}
