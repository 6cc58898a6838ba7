import { Server } from 'lucide-preact';
import { memo, useMemo } from 'preact/compat';
import { Empty, StateMark } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import type { NodeTile } from '../../scheduling.ts';
import { amountText } from './words.ts';
import styles from './SchedulingPanel.module.css';

/** The resources by which nodes can be filled: those of every node, then what only some have. */
export function resourcesOf(nodes: readonly NodeTile[]): readonly string[] {
  return [
    ...new Set(['cpu', 'memory', 'pods', ...nodes.flatMap(({ resources }) => resources.map(({ name }) => name))]),
  ];
}

interface NodeTilesProps {
  readonly nodes: readonly NodeTile[];
  readonly resource: string;
}

/** Nodes in their zones, each filled by what its pods request of one resource. */
export function NodeTiles({ nodes, resource }: NodeTilesProps) {
  const zones = useMemo(() => {
    const groups = new Map<string, NodeTile[]>();
    for (const node of nodes) groups.set(node.zone, [...(groups.get(node.zone) ?? []), node]);
    return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  }, [nodes]);
  if (nodes.length === 0)
    return (
      <Empty icon={Server} title="No nodes">
        Nodes appear here as tiles that fill with pods. A cluster is given nodes when it is made, or by a Node object.
      </Empty>
    );
  return (
    <div className={styles.zones}>
      {zones.map(([zone, members]) => (
        <section key={zone} className={styles.zone} aria-label={zone ? `Zone ${zone}` : 'Nodes without a zone'}>
          <h2 className={styles.zoneName}>{zone ? `Zone ${zone}` : 'No zone'}</h2>
          <ul className={styles.tiles}>
            {members.map((node) => (
              <Tile key={node.node} tile={node} resource={resource} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const percent = (part: number, whole: number): number => (whole > 0 ? (100 * part) / whole : 0);

const Tile = memo(function Tile({ tile, resource }: { readonly tile: NodeTile; readonly resource: string }) {
  const address = useAddress();
  const at = tile.resources.findIndex(({ name }) => name === resource);
  const { allocatable = 0, requested = 0 } = tile.resources[at] ?? {};
  const filled = percent(requested, allocatable);
  const pods = tile.resources.find(({ name }) => name === 'pods')?.requested ?? 0;
  return (
    <li className={styles.tile}>
      <p className={styles.tileHead}>
        <a className={styles.tileName} href={hrefOf({ query: { sel: `object:core/nodes/-/${tile.node}` } }, address)}>
          {tile.node}
        </a>
        <a
          className={styles.quiet}
          href={hrefOf({ path: ['drain', tile.node] }, address)}
          title={`What would happen if ${tile.node} were drained`}
        >
          Drain?
        </a>
      </p>
      <div
        className={styles.fill}
        role="img"
        aria-label={`${Math.round(filled)} % of ${resource} requested by ${pods} pods`}
      >
        {tile.shares.length === 0 ? (
          <span className={styles.share} style={{ width: `${filled}%` }} />
        ) : (
          tile.shares.map((share) => (
            <span
              key={`${share.namespace}/${share.owner}`}
              className={styles.share}
              style={{ width: `${percent(share.amounts[at] ?? 0, allocatable)}%` }}
              title={`${share.owner ? `${share.namespace}/${share.owner.split('/')[1]}` : 'others'}: ${share.pods} ${share.pods === 1 ? 'pod' : 'pods'}, ${amountText(resource, share.amounts[at] ?? 0)}`}
            />
          ))
        )}
      </div>
      <p className={styles.tileNote}>
        <span>
          {allocatable === 0
            ? `has no ${resource}`
            : `${amountText(resource, requested)} of ${amountText(resource, allocatable)}`}
        </span>
        <span>{pods === 1 ? '1 pod' : `${pods} pods`}</span>
      </p>
      {(tile.unschedulable || tile.taints.length > 0) && (
        <p className={styles.tileNote}>
          {tile.unschedulable && <StateMark state="pending" text="cordoned" />}
          <span className={styles.taints}>
            {tile.taints.filter((taint) => !taint.includes('/unschedulable')).join(' ')}
          </span>
        </p>
      )}
    </li>
  );
});
