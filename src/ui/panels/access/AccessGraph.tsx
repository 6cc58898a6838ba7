import { ShieldOff } from 'lucide-preact';
import { useMemo, useState } from 'preact/compat';
import { cx, Empty } from '../../parts/index.ts';
import type { HeldRule } from '../../host.ts';
import { AccessLink } from '../requests/AuthorizationProof.tsx';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { useResources } from '../../stores/resources.ts';
import { originsIn } from './aggregation.ts';
import { KindLink } from '../object/ObjectLink.tsx';
import { connected, graphOf, LAYERS, type Graph, type GraphNode } from './graph.ts';
import styles from './AccessGraph.module.css';

/** Measures of the drawing, in its own units (one is a pixel at normal size). */
const WIDTHS = { subject: 200, binding: 250, role: 250, rule: 330 } as const;
const GAP = 56;
const ROW = 40;
const TOP = 28;
const titles = { subject: 'Subject', binding: 'Binding', role: 'Role', rule: 'Rule' } as const;

const leftOf = (layer: GraphNode['layer']): number =>
  LAYERS.slice(0, LAYERS.indexOf(layer)).reduce((sum, each) => sum + WIDTHS[each] + GAP, 0);
const middleOf = (node: GraphNode): number => TOP + node.place * ROW + ROW / 2;
const TOTAL = leftOf('rule') + WIDTHS.rule;

/** How rights come about, from left to right; pointing at a part shows what it leads to. */
export function AccessGraph({ held }: { readonly held: readonly HeldRule[] }) {
  const resource = useResources(({ resources }) => resources.find((each) => each.resource === 'clusterroles'));
  const { objects: roles } = useLiveObjects(resource && { resource });
  const graph = useMemo(() => graphOf(held, originsIn(roles)), [held, roles]);
  const [pointed, setPointed] = useState<string>();
  const lit = useMemo(() => (pointed === undefined ? undefined : connected(graph, pointed)), [graph, pointed]);
  if (held.length === 0) {
    return (
      <Empty icon={ShieldOff} title="No role is bound to them">
        A RoleBinding or ClusterRoleBinding that names them, or one of their groups, appears here with its role and
        rules.
      </Empty>
    );
  }
  return (
    <div className={styles.scroller}>
      <div className={styles.graph} style={{ width: TOTAL, height: TOP + graph.height * ROW }}>
        <Edges graph={graph} lit={lit} />
        {LAYERS.map((layer) => (
          <p key={layer} className={styles.title} style={{ left: leftOf(layer) }}>
            {titles[layer]}
          </p>
        ))}
        {graph.nodes.map((node) => (
          <div
            key={node.id}
            className={cx(styles.node, styles[node.layer], lit && !lit.has(node.id) && styles.dim)}
            style={{ left: leftOf(node.layer), top: TOP + node.place * ROW, width: WIDTHS[node.layer], height: ROW }}
            onPointerEnter={() => setPointed(node.id)}
            onPointerLeave={() => setPointed(undefined)}
            onFocus={() => setPointed(node.id)}
            onBlur={() => setPointed(undefined)}
          >
            <Label node={node} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Label({ node }: { readonly node: GraphNode }) {
  const { layer, object, label, note } = node;
  if (layer === 'rule')
    return (
      <>
        <span className={styles.text} title={label}>
          {label}
        </span>
        {note !== '' && <span className={styles.note}>{note}</span>}
      </>
    );
  return (
    <>
      <span className={styles.text} title={label}>
        {object && layer === 'subject' && (
          <KindLink apiVersion="v1" kind={object.kind} namespace={object.namespace} name={label} />
        )}
        {object && layer !== 'subject' && <AccessLink id={object} bare />}
        {!object && label}
      </span>
      <span className={styles.note}>{note}</span>
    </>
  );
}

function Edges({ graph, lit }: { readonly graph: Graph; readonly lit: ReadonlySet<string> | undefined }) {
  const byId = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph]);
  return (
    <svg className={styles.edges} width={TOTAL} height={TOP + graph.height * ROW} aria-hidden>
      {graph.edges.map((edge) => {
        const from = byId.get(edge.from);
        const to = byId.get(edge.to);
        if (!from || !to) return null;
        const on = lit?.has(edge.from) && lit.has(edge.to);
        return (
          <path
            key={`${edge.from} > ${edge.to}`}
            d={curve(from, to)}
            className={cx(styles.edge, on && styles.lit, lit && !on && styles.dim)}
          />
        );
      })}
    </svg>
  );
}

/** A line that leaves and arrives level. */
function curve(from: GraphNode, to: GraphNode): string {
  const x1 = leftOf(from.layer) + WIDTHS[from.layer];
  const x2 = leftOf(to.layer);
  const [y1, y2] = [middleOf(from), middleOf(to)];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}
