import { Lock, Server } from 'lucide-preact';
import { useMemo, useRef, useState } from 'preact/compat';
import { keyOf, type NetworkObjects, type NetworkView } from '../../../network/index.ts';
import { cx } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useFlows } from '../../stores/flows.ts';
import { FlowLines } from './FlowLines.tsx';
import { MovingFlows } from './MovingFlows.tsx';
import { curveBetween, layOut, type MapLayout, type PlacedWorkload } from './mapLayout.ts';
import { rowsIn } from './mapSize.ts';
import { usePlace, useZoom, ZoomButtons } from './MapZoom.tsx';
import { ingressBackends, outsideAddresses, outsideWorkloads } from './outside.ts';
import { effectOf, reachWord, type Picture } from './picture.ts';
import { isIdle, isolationOf, type Workload } from './workloads.ts';
import styles from './NetworkMap.module.css';

const MARGIN = 12;

interface NetworkMapProps {
  readonly picture: Picture;
  readonly view: NetworkView;
}

/** Namespaces as areas, workloads as nodes. Pointing at a workload, or choosing it, shows whom it reaches and who reaches it. */
export function NetworkMap({ picture, view }: NetworkMapProps) {
  const [pointed, setPointed] = useState<string>();
  const chosen = useAddress(({ query }) => query['from'] ?? '');
  const addresses = useFlows((flows) => outsideAddresses(flows.rows));
  // The view is the same object after each change; the picture is made anew by each.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const outside = useMemo(() => outsideWorkloads(addresses, view), [addresses, picture, view]);
  const scroller = useRef<HTMLDivElement>(null);
  const place = usePlace(scroller);
  const rows = rowsIn(place, MARGIN);
  const layout = useMemo(
    () => layOut([...picture.workloads, ...outside], view.all('services'), rows),
    [picture, outside, view, rows],
  );
  const placed = useMemo(() => placesOf(layout), [layout]);
  const map = useRef<HTMLDivElement>(null);
  const whole = { width: layout.width + 2 * MARGIN, height: layout.height + 2 * MARGIN };
  const size = useZoom(place, whole);
  const pointedAt = placed.get(pointed ?? chosen);
  const focus = pointedAt?.workload.kind === 'Outside' ? undefined : pointedAt;
  return (
    <div ref={scroller} className={styles.scroller}>
      <div className={styles.hint}>
        <p aria-live="polite">
          {focus
            ? describe(picture, focus.workload)
            : 'Lines show who may connect to whom, and move with each connection. Choose two workloads to follow a packet.'}
        </p>
        <ZoomButtons {...size} />
      </div>
      <MovingFlows placed={placed} map={map} zoom={size.zoom} margin={MARGIN} />
      <div ref={map} className={styles.map} style={{ ...whole, zoom: size.zoom }}>
        {layout.areas.map((area) => (
          <section
            key={area.namespace}
            aria-label={`Namespace ${area.namespace}`}
            className={styles.area}
            style={{ left: area.x + MARGIN, top: area.y + MARGIN, width: area.width, height: area.height }}
          >
            <h2 className={styles.namespace}>{area.namespace}</h2>
          </section>
        ))}
        <Lines layout={layout} placed={placed} picture={picture} focus={focus} view={view} />
        {layout.areas.flatMap(({ services }) =>
          services.map(({ service, x, y, width, height }) => (
            <div
              key={`${service.metadata?.namespace ?? ''}/${service.metadata?.name ?? ''}`}
              className={styles.service}
              style={{ left: x + MARGIN, top: y + MARGIN, width, height }}
              title={`Service ${service.metadata?.name ?? ''}`}
            >
              <Server className={styles.icon} aria-hidden />
              <span className={styles.name}>{service.metadata?.name}</span>
              <span className={styles.ports}>{portsIn(service)}</span>
            </div>
          )),
        )}
        {[...placed.values()].map((node) => (
          <Node key={node.workload.key} node={node} view={view} dim={false} onPoint={setPointed} />
        ))}
      </div>
    </div>
  );
}

/** A number that is there for TCP and UDP is shown once. */
const portsIn = ({ spec }: NetworkObjects['services']): string =>
  [...new Set((spec?.ports ?? []).map(({ port }) => port))].join(', ');

function placesOf({ areas }: MapLayout): ReadonlyMap<string, PlacedWorkload> {
  return new Map(areas.flatMap(({ workloads }) => workloads.map((node) => [node.workload.key, node])));
}

/** The text equivalent of the lines from and to a workload. */
function describe({ workloads, now }: Picture, focus: Workload): string {
  const others = workloads.filter(({ key }) => key !== focus.key);
  if (isIdle(focus)) return `No pod of ${focus.name} has an address yet. It reaches nothing, and nothing reaches it.`;
  const connects = (from: Workload, to: Workload): boolean => ['some', 'all'].includes(now.reach(from, to));
  const reached = others.filter((other) => connects(focus, other)).length;
  const reaching = others.filter((other) => connects(other, focus)).length;
  return `${focus.name} reaches ${reached} of ${others.length} others, and ${reaching} reach it.`;
}

interface LinesProps {
  readonly layout: MapLayout;
  readonly placed: ReadonlyMap<string, PlacedWorkload>;
  readonly picture: Picture;
  readonly focus: PlacedWorkload | undefined;
  readonly view: NetworkView;
}

/** Lines that stand still, and above them, in a layer of their own, those of connections: they change all the time. */
function Lines(props: LinesProps) {
  const { layout, placed, focus } = props;
  const size = { width: layout.width + 2 * MARGIN, height: layout.height + 2 * MARGIN };
  return (
    <>
      <svg className={styles.lines} aria-hidden {...size}>
        <g transform={`translate(${MARGIN} ${MARGIN})`}>
          <ServiceLines {...props} />
          <ReachLines {...props} />
        </g>
      </svg>
      <svg className={styles.lines} aria-hidden {...size}>
        <g transform={`translate(${MARGIN} ${MARGIN})`}>
          <FlowLines placed={placed} calm={focus !== undefined} />
        </g>
      </svg>
    </>
  );
}

/** A service before so many workloads says no more with a line to each. */
const MOST_SELECTED = 40;

/** From services to the workloads that they select, and from the Ingress controller to the services behind it. */
function ServiceLines({ layout, placed, picture, view }: LinesProps) {
  const controller = placed.get(view.settings.ingressAddress);
  // The view is the same object after each change; the picture is made anew by each.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const backends = useMemo(() => ingressBackends(view), [picture, view]);
  const services = layout.areas.flatMap((area) => area.services);
  const selected = services
    .filter(({ leadsTo }) => leadsTo.length <= MOST_SELECTED)
    .flatMap((service) => service.leadsTo.map((key) => ({ service, node: placed.get(key) })));
  const entered = services.filter(({ service }) => controller && backends.has(keyOf(service)));
  return (
    <>
      {selected.map(
        ({ service, node }) =>
          node && (
            <path
              key={`${keyOf(service.service)}>${node.workload.key}`}
              className={styles.selects}
              d={curveBetween(service, node)}
            />
          ),
      )}
      {controller &&
        entered.map((service) => (
          <path key={keyOf(service.service)} className={styles.selects} d={curveBetween(controller, service)} />
        ))}
    </>
  );
}

/** Who may reach whom: from the workload in focus, or between all where they are few; and what a draft changes. */
function ReachLines({ placed, picture, focus }: LinesProps) {
  const inside = useMemo(() => new Map([...placed].filter(([, node]) => node.workload.kind !== 'Outside')), [placed]);
  if (focus) return <FocusLines placed={inside} picture={picture} focus={focus} />;
  return (
    <>
      {inside.size <= MOST_PAIRED && <CalmLines placed={inside} picture={picture} />}
      <DraftLines placed={inside} picture={picture} />
    </>
  );
}

/** From the workload in focus to every other: whole where it is allowed, broken where it is denied. */
function FocusLines({
  placed,
  picture,
  focus,
}: Pick<LinesProps, 'placed' | 'picture'> & { readonly focus: PlacedWorkload }) {
  return [...placed.values()].flatMap((other) => {
    if (other === focus) return [];
    const reach = picture.now.reach(focus.workload, other.workload);
    if (reach === 'idle') return [];
    const effect = effectOf(picture, focus.workload, other.workload);
    const d = curveBetween(focus, other);
    return [
      <path key={other.workload.key} className={cx(styles.line, styles[reach], effect && styles[effect])} d={d}>
        <title>{`${focus.workload.name} ${reachWord[reach]} ${other.workload.name}`}</title>
      </path>,
    ];
  });
}

/** Between so few workloads every pair has a line; among more, only those that were seen to connect. */
const MOST_PAIRED = 10;

/** Who may reach whom, in the background: a line for each pair, denied where neither may connect to the other. */
function CalmLines({ placed, picture }: Pick<LinesProps, 'placed' | 'picture'>) {
  const nodes = [...placed.values()];
  return nodes.flatMap((from, i) =>
    nodes.slice(i + 1).map((to) => {
      const ways = [picture.now.reach(from.workload, to.workload), picture.now.reach(to.workload, from.workload)];
      if (ways.includes('idle')) return null;
      const look = ways.every((way) => way === 'all') ? 'all' : ways.every((way) => way === 'none') ? 'none' : 'some';
      const key = `${from.workload.key}-${to.workload.key}`;
      return <path key={key} className={cx(styles.line, styles.calm, styles[look])} d={curveBetween(from, to)} />;
    }),
  );
}

/** What a draft would open or close. */
function DraftLines({ placed, picture }: Pick<LinesProps, 'placed' | 'picture'>) {
  if (!picture.next) return null;
  const nodes = [...placed.values()];
  return nodes.flatMap((from) =>
    nodes.flatMap((to) => {
      const effect = from === to ? undefined : effectOf(picture, from.workload, to.workload);
      const key = `${from.workload.key}>${to.workload.key}`;
      return effect ? [<path key={key} className={cx(styles.line, styles[effect])} d={curveBetween(from, to)} />] : [];
    }),
  );
}

interface NodeProps {
  readonly node: PlacedWorkload;
  readonly view: NetworkView;
  readonly dim: boolean;
  readonly onPoint: (key: string | undefined) => void;
}

function Node({ node: { workload, x, y, width, height }, view, onPoint }: NodeProps) {
  const query = useAddress((address) => address.query);
  const isolated = isolationOf(workload, view);
  const place = query['from'] === workload.key ? 'from' : query['to'] === workload.key ? 'to' : undefined;
  return (
    <button
      type="button"
      className={cx(styles.node, place && styles.chosen, isIdle(workload) && styles.idle)}
      style={{ left: x + MARGIN, top: y + MARGIN, width, height }}
      aria-pressed={place !== undefined}
      onPointerEnter={() => onPoint(workload.key)}
      onPointerLeave={() => onPoint(undefined)}
      onFocus={() => onPoint(workload.key)}
      onBlur={() => onPoint(undefined)}
      onClick={() => choose(workload.key)}
    >
      <span className={styles.name}>{workload.name}</span>
      <span className={styles.about}>
        {aboutOf(workload)}
        {isolated !== '' && (
          <span className={styles.isolated} title={`Policies restrict ${isolated}`}>
            <Lock className={styles.icon} aria-label={`Policies restrict ${isolated}`} />
          </span>
        )}
      </span>
    </button>
  );
}

function aboutOf(workload: Workload): string {
  const { kind, pods } = workload;
  const state = isIdle(workload) ? ', not running' : '';
  if (kind === 'Pod' || kind === 'Outside') return `${kind}${state}`;
  return `${kind}, ${pods.length} ${pods.length === 1 ? 'pod' : 'pods'}${state}`;
}

/** The first choice sends, the second receives; a third begins anew. */
function choose(key: string): void {
  const { from, to } = useAddress.getState().query;
  if (from && !to && from !== key) go({ query: { to: key } }, true);
  else go({ query: { from: key, to: undefined } }, true);
}
