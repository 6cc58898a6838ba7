/** Where everything stands on the map: namespaces as areas, workloads in rows inside. The same objects stand in the same places, in the same room. */
import { getOwn } from '../../../std/index.ts';
import type { NetworkObjects } from '../../../network/index.ts';
import type { Workload } from './workloads.ts';

type Service = NetworkObjects['services'];

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedWorkload extends Box {
  readonly workload: Workload;
}

export interface PlacedService extends Box {
  readonly service: Service;
  /** Keys of the workloads that it selects. */
  readonly leadsTo: readonly string[];
}

export interface Area extends Box {
  readonly namespace: string;
  readonly workloads: readonly PlacedWorkload[];
  readonly services: readonly PlacedService[];
}

export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly areas: readonly Area[];
}

/** Measures in units of the drawing; one is a pixel at normal size. */
const NODE = { width: 168, height: 44 };
const PILL = { width: 168, height: 26 };
const GAP = 28;
const PADDING = 20;
const TITLE = 34;
const AREA_GAP = 28;
/** Where there is more room than this, rows stay as wide: the map is drawn larger instead. */
const WIDEST_ROW = 1060;
const MOST_COLUMNS = 4;

/** Lays out workloads and services in rows no wider than `room`, in units of the drawing; an area is as wide as one workload at least. */
export function layOut(workloads: readonly Workload[], services: readonly Service[], room = WIDEST_ROW): MapLayout {
  const rowWidth = Math.min(WIDEST_ROW, room);
  const most = columnsIn(rowWidth);
  const namespaces = [...new Set(workloads.map(({ namespace }) => namespace))];
  const areas: Area[] = [];
  let [x, y, rowHeight] = [0, 0, 0];
  for (const namespace of namespaces) {
    const mine = workloads.filter((workload) => workload.namespace === namespace);
    const columns = columnsFor(mine.length, most);
    const own = services.filter((service) => service.metadata?.namespace === namespace);
    const size = sizeOfArea(columns, mine.length, own.length);
    if (x > 0 && x + size.width > rowWidth) [x, y, rowHeight] = [0, y + rowHeight + AREA_GAP, 0];
    areas.push(areaAt(namespace, { x, y, ...size }, columns, mine, own));
    x += size.width + AREA_GAP;
    rowHeight = Math.max(rowHeight, size.height);
  }
  const right = Math.max(0, ...areas.map((area) => area.x + area.width));
  const bottom = Math.max(0, ...areas.map((area) => area.y + area.height));
  return { width: right, height: bottom, areas };
}

/** How many columns of workloads an area of that width has. */
const columnsIn = (width: number): number =>
  Math.max(1, Math.min(MOST_COLUMNS, Math.floor((width - 2 * PADDING + GAP) / (NODE.width + GAP))));

/** As square as the contents allow. */
const columnsFor = (count: number, most: number): number => Math.max(1, Math.min(most, Math.ceil(Math.sqrt(count))));

function sizeOfArea(columns: number, workloads: number, services: number): { width: number; height: number } {
  const rows = Math.ceil(workloads / columns);
  const serviceRows = Math.ceil(services / columns);
  return {
    width: 2 * PADDING + columns * NODE.width + (columns - 1) * GAP,
    height: TITLE + PADDING + serviceRows * (PILL.height + GAP / 2) + rows * NODE.height + (rows - 1) * GAP,
  };
}

function areaAt(
  namespace: string,
  box: Box,
  columns: number,
  workloads: readonly Workload[],
  own: readonly Service[],
): Area {
  const mine = [...own].sort((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
  const place = (i: number, height: number, top: number, gap: number): { x: number; y: number } => ({
    x: box.x + PADDING + (i % columns) * (NODE.width + GAP),
    y: top + Math.floor(i / columns) * (height + gap),
  });
  const top = box.y + TITLE;
  const services = mine.map((service, i) => ({
    service,
    leadsTo: workloads.filter((workload) => selects(service, workload)).map(({ key }) => key),
    ...place(i, PILL.height, top, GAP / 2),
    ...PILL,
  }));
  const below = top + Math.ceil(mine.length / columns) * (PILL.height + GAP / 2);
  const nodes = workloads.map((workload, i) => ({ workload, ...place(i, NODE.height, below, GAP), ...NODE }));
  return { namespace, ...box, workloads: nodes, services };
}

function selects({ spec }: Service, { pods }: Workload): boolean {
  const wanted = Object.entries(spec?.selector ?? {});
  const matches = (pod: Workload['pods'][number]): boolean =>
    wanted.every(([key, value]) => getOwn(pod.metadata?.labels ?? {}, key) === value);
  return wanted.length > 0 && pods.some(matches);
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A cubic curve: where it starts, its two handles, and where it ends. */
export type Curve = readonly [start: Point, leaving: Point, arriving: Point, end: Point];

/** Boxes of one column further apart than this may have another one between them. */
const NEXT_ROW = NODE.height + GAP;

/** The same for boxes of one row, which may stand in two areas. */
const NEXT_COLUMN = NODE.width + 2 * PADDING + AREA_GAP;

/** How far a line bows out to pass what stands between. Three quarters of it are seen, which is less than there is beside any box. */
const BOW = 24;

/** The curve from one box to another, leaving and entering at the nearer sides; beside the column, or below the row, where both are far apart in one. */
export function curveOf(from: Box, to: Box): Curve {
  const [a, b] = [middleOf(from), middleOf(to)];
  const [across, down] = [Math.abs(b.x - a.x), Math.abs(b.y - a.y)];
  if (across < NODE.width / 2 && down > NEXT_ROW) {
    const [start, end] = [
      { x: from.x + from.width, y: a.y },
      { x: to.x + to.width, y: b.y },
    ];
    const beside = Math.max(start.x, end.x) + BOW;
    return [start, { x: beside, y: a.y }, { x: beside, y: b.y }, end];
  }
  if (down < NODE.height / 2 && across > NEXT_COLUMN) {
    const [start, end] = [
      { x: a.x, y: from.y + from.height },
      { x: b.x, y: to.y + to.height },
    ];
    const below = Math.max(start.y, end.y) + BOW;
    return [start, { x: a.x, y: below }, { x: b.x, y: below }, end];
  }
  const sideways = across > down;
  const start = sideways
    ? { x: b.x > a.x ? from.x + from.width : from.x, y: a.y }
    : { x: a.x, y: b.y > a.y ? from.y + from.height : from.y };
  const end = sideways
    ? { x: b.x > a.x ? to.x : to.x + to.width, y: b.y }
    : { x: b.x, y: b.y > a.y ? to.y : to.y + to.height };
  const bend = Math.max(24, (sideways ? Math.abs(end.x - start.x) : Math.abs(end.y - start.y)) / 2);
  const [dx, dy] = sideways ? [Math.sign(b.x - a.x) * bend, 0] : [0, Math.sign(b.y - a.y) * bend];
  return [start, { x: start.x + dx, y: start.y + dy }, { x: end.x - dx, y: end.y - dy }, end];
}

/** The same as the text of a path; empty from a box to itself. */
export function curveBetween(from: Box, to: Box): string {
  if (from === to) return '';
  const [start, leaving, arriving, end] = curveOf(from, to).map(({ x, y }) => `${x},${y}`);
  return `M${start} C${leaving} ${arriving} ${end}`;
}

/** The point of a curve at a share of its way, from 0 to 1. */
export function pointAt([start, leaving, arriving, end]: Curve, share: number): Point {
  const rest = 1 - share;
  const weigh = (a: number, b: number, c: number, d: number): number =>
    rest ** 3 * a + 3 * rest ** 2 * share * b + 3 * rest * share ** 2 * c + share ** 3 * d;
  return {
    x: weigh(start.x, leaving.x, arriving.x, end.x),
    y: weigh(start.y, leaving.y, arriving.y, end.y),
  };
}

export const middleOf = ({ x, y, width, height }: Box): Point => ({
  x: x + width / 2,
  y: y + height / 2,
});
