/** Words for declaring the columns of Tables, and what many cells have in common. */
import type { ApiObject, CellContext, Column } from '../define/index.ts';
import { labelSelectorText, selectorOfLabels, timeOf } from '../values/index.ts';
import type { LabelSelector } from './labelSelector.ts';

type Cell<T> = (object: T, context: CellContext) => unknown;

const column =
  (type: Column<unknown>['type'], priority: number) =>
  <T>(name: string, doc: string, cell: Cell<T>): Column<T> => ({ name, type, priority, doc, cell });

export const text = column('string', 0);
export const integer = column('integer', 0);
export const flag = column('boolean', 0);
/** A column that is shown only in wide output. */
export const wide = column('string', 1);

interface Named {
  readonly metadata: ApiObject['metadata'];
}

export const name: Column<Named> = {
  name: 'Name',
  type: 'string',
  format: 'name',
  doc: 'Name of the object, unique in its namespace.',
  cell: (object) => object.metadata.name ?? '',
};

export const age: Column<Named> = text('Age', 'How long ago the object was created.', (object: Named, { now }) =>
  since(object.metadata.creationTimestamp, now),
);

/** How long ago a time was, in a few characters. */
export function since(time: string | null | undefined, now: number): string {
  const moment = timeOf(time);
  return moment === undefined ? '<unknown>' : shortDuration(now - moment);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Up to a limit a duration is printed with one unit or two; the second is omitted if it is zero. */
const STEPS: readonly (readonly [limit: number, units: readonly (readonly [size: number, name: string])[]])[] = [
  [2 * MINUTE, [[SECOND, 's']]],
  [
    10 * MINUTE,
    [
      [MINUTE, 'm'],
      [SECOND, 's'],
    ],
  ],
  [3 * HOUR, [[MINUTE, 'm']]],
  [
    8 * HOUR,
    [
      [HOUR, 'h'],
      [MINUTE, 'm'],
    ],
  ],
  [2 * DAY, [[HOUR, 'h']]],
  [
    8 * DAY,
    [
      [DAY, 'd'],
      [HOUR, 'h'],
    ],
  ],
  [2 * YEAR, [[DAY, 'd']]],
  [
    8 * YEAR,
    [
      [YEAR, 'y'],
      [DAY, 'd'],
    ],
  ],
  [Infinity, [[YEAR, 'y']]],
];

/** A duration in a few characters: `45s`, `3m10s`, `5d`. */
export function shortDuration(ms: number): string {
  // Clocks may differ a little; what is further in the future is a mistake.
  if (ms < 0) return ms > -2 * SECOND ? '0s' : '<invalid>';
  const [, units] = STEPS.find(([limit]) => ms < limit) ?? [0, []];
  let rest = ms;
  return units
    .map(([size, unit], i) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return i > 0 && count === 0 ? '' : `${count}${unit}`;
    })
    .join('');
}

/** The text of a selector, or that there is none. */
export const selectorCell = (selector: LabelSelector | null | undefined): string =>
  labelSelectorText(selector) || '<none>';

/** Labels as a selector would say them, or that there are none. */
export const labelsCell = (labels: Readonly<Record<string, string>> | undefined): string =>
  selectorOfLabels(labels).toString() || '<none>';

/** The first of many, and how many more there are. */
export function firstOf(items: readonly string[], max: number, separator = ','): string {
  const shown = items.slice(0, max).join(separator);
  return items.length > max ? `${shown} + ${items.length - max} more...` : shown;
}

interface Containers {
  readonly containers: readonly { readonly name: string; readonly image?: string }[] | null;
}

/** The two wide columns that every kind with a pod template has. */
export function containerColumns<T>(podSpec: (object: T) => Containers | undefined): readonly Column<T>[] {
  const cells = (object: T) => podSpec(object)?.containers ?? [];
  return [
    wide('Containers', 'Names of the containers in the template.', (object: T) =>
      cells(object)
        .map((container) => container.name)
        .join(','),
    ),
    wide('Images', 'Images of the containers in the template.', (object: T) =>
      cells(object)
        .map((container) => container.image ?? '')
        .join(','),
    ),
  ];
}
