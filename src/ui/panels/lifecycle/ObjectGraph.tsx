import { useCallback, useRef, type KeyboardEvent } from 'preact/compat';
import type { KnownObject, World } from '../../../explain/index.ts';
import type { Steps } from '../../../std/index.ts';
import { cx, StateMark, Waiting } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { formatRef } from '../../stores/resources.ts';
import { layOutInSteps, NODE, type GraphLayout, type PlacedNode } from './graphLayout.ts';
import { stateOfObject } from './objectState.ts';
import { relationsInSteps, relationWords } from './relations.ts';
import { useStepped } from './stepped.ts';
import { useRefs } from './subject.ts';
import styles from './ObjectGraph.module.css';

const MARGIN = 16;

/** What belongs to an object, from what causes it to what follows from it. */
export function ObjectGraph({ world, center }: { readonly world: World; readonly center: KnownObject }) {
  const ask = useCallback(() => graphInSteps(center, world), [center, world]);
  const layout = useStepped(center.metadata.uid ?? '', ask);
  return layout ? <Graph layout={layout} center={center} /> : <Waiting what="Looking for what belongs to it" />;
}

function* graphInSteps(center: KnownObject, world: World): Steps<GraphLayout> {
  return yield* layOutInSteps(yield* relationsInSteps(center, world), center);
}

function Graph({ layout, center }: { readonly layout: GraphLayout; readonly center: KnownObject }) {
  const nodes = useRef(new Map<string, HTMLButtonElement>());
  const walk = (event: KeyboardEvent<HTMLElement>, from: PlacedNode): void => {
    const to = neighbour(layout, from, event.key);
    if (!to) return;
    event.preventDefault();
    nodes.current.get(to.key)?.focus();
  };
  return (
    <div className={styles.scroller}>
      <div className={styles.hint}>
        <p>{describe(layout, center)}</p>
        <Legend layout={layout} />
      </div>
      <div
        className={styles.graph}
        style={{ width: layout.width + 2 * MARGIN, height: layout.height + 2 * MARGIN }}
        role="group"
        aria-label={`What belongs to ${center.kind} ${center.metadata.name ?? ''}`}
      >
        <Lines layout={layout} />
        {layout.nodes.map((node) => (
          <Node
            key={node.key}
            node={node}
            isCenter={node.key === center.metadata.uid}
            about={linksText(layout, node)}
            onKey={(event) => walk(event, node)}
            onElement={(element) =>
              void (element ? nodes.current.set(node.key, element) : nodes.current.delete(node.key))
            }
          />
        ))}
      </div>
    </div>
  );
}

/** What the lines mean, of those that there are. */
function Legend({ layout: { links } }: { readonly layout: GraphLayout }) {
  const relations = [...new Set(links.map(({ link }) => link.relation))];
  return (
    <ul className={styles.legend} aria-label="Lines">
      {relations.map((relation) => (
        <li key={relation}>
          <svg className={styles.sample} aria-hidden width={28} height={8}>
            <path d="M0 4H28" className={cx(styles.line, styles[relation])} />
          </svg>
          {relationWords[relation]}
        </li>
      ))}
    </ul>
  );
}

function describe({ nodes }: GraphLayout, center: KnownObject): string {
  const count = nodes.reduce((sum, { more }) => sum + 1 + more, -1);
  if (count === 0) return 'Nothing else belongs to this object.';
  const others = count === 1 ? 'One other object belongs' : `${count} other objects belong`;
  return `${others} to ${center.kind} ${center.metadata.name ?? ''}. Causes stand on the left, what follows on the right.`;
}

/** The text equivalent of the lines at a node. */
function linksText({ links }: GraphLayout, node: PlacedNode): string {
  const told = links
    .filter(({ from }) => from === node)
    .map(({ link }) => `${relationWords[link.relation]} ${link.to.kind} ${link.to.metadata.name ?? ''}`);
  return told.slice(0, 8).join('; ');
}

const middle = ({ y }: PlacedNode): number => y + NODE.height / 2;

/** The node that an arrow key leads to: along a link, or up and down a column. */
function neighbour({ nodes, links }: GraphLayout, from: PlacedNode, key: string): PlacedNode | undefined {
  const nearest = (found: readonly PlacedNode[]): PlacedNode | undefined =>
    [...found].sort((a, b) => Math.abs(a.y - from.y) - Math.abs(b.y - from.y))[0];
  if (key === 'ArrowRight') return nearest(links.filter((link) => link.from === from).map(({ to }) => to));
  if (key === 'ArrowLeft') return nearest(links.filter((link) => link.to === from).map((link) => link.from));
  const column = nodes.filter(({ x }) => x === from.x);
  if (key === 'ArrowDown') return nearest(column.filter(({ y }) => y > from.y));
  if (key === 'ArrowUp') return nearest(column.filter(({ y }) => y < from.y));
  return undefined;
}

function Lines({ layout }: { readonly layout: GraphLayout }) {
  return (
    <svg className={styles.lines} aria-hidden width={layout.width + 2 * MARGIN} height={layout.height + 2 * MARGIN}>
      <g transform={`translate(${MARGIN} ${MARGIN})`}>
        {layout.links.map(({ link, from, to }) => {
          const forward = to.x > from.x;
          const [x1, x2] = forward ? [from.x + NODE.width, to.x] : [from.x, to.x + NODE.width];
          const bend = (forward ? 1 : -1) * (NODE.gapX / 2);
          const d = `M${x1} ${middle(from)}C${x1 + bend} ${middle(from)} ${x2 - bend} ${middle(to)} ${x2} ${middle(to)}`;
          return (
            <path
              key={`${from.key}>${to.key}>${link.relation}`}
              d={d}
              className={cx(styles.line, styles[link.relation])}
            />
          );
        })}
      </g>
    </svg>
  );
}

interface NodeProps {
  readonly node: PlacedNode;
  readonly isCenter: boolean;
  readonly about: string;
  readonly onKey: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onElement: (element: HTMLButtonElement | null) => void;
}

function Node({ node: { object, more, x, y }, isCenter, about, onKey, onElement }: NodeProps) {
  const refOf = useRefs();
  const selected = useAddress(({ query }) => query['sel']);
  const { apiVersion, kind, metadata } = object;
  const ref = refOf({ apiVersion, kind, namespace: metadata.namespace, name: metadata.name });
  const sel = ref && `object:${formatRef(ref)}`;
  const { state, text } = stateOfObject(object);
  return (
    <button
      type="button"
      ref={onElement}
      className={cx(styles.node, isCenter && styles.center, sel === selected && styles.selected)}
      style={{ left: x + MARGIN, top: y + MARGIN, width: NODE.width, height: NODE.height }}
      aria-description={about}
      title={metadata.name}
      onKeyDown={onKey}
      onClick={() => sel && go({ query: { sel } })}
      onDblClick={() => ref && go({ query: { obj: formatRef(ref) } })}
    >
      <span className={styles.head}>
        <span className={styles.kind}>{kind}</span>
        <StateMark state={state} text={text} />
      </span>
      <span className={styles.name}>{metadata.name}</span>
      {more > 0 && <span className={styles.more}>and {more} more</span>}
    </button>
  );
}
