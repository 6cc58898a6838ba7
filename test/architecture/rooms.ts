import { existsSync, readFileSync } from 'node:fs';

/** A row of the table in ARCHITECTURE.md: a folder of `src/` and what it may import besides `std` and `names`. */
export interface Room {
  readonly name: string;
  readonly mayImport: ReadonlyMap<string, 'all' | 'types'>;
}

const everybody = ['std', 'names'];

/** The rooms as ARCHITECTURE.md lists them, in its order. */
export function readRooms(markdown = readFileSync('ARCHITECTURE.md', 'utf8')): Room[] {
  const rooms: Room[] = [];
  for (const line of markdown.split('\n')) {
    const [, first = '', , last = ''] = line.split('|').map((cell) => cell.trim());
    if (!/^(`\w+\/`\s*)+$/.test(first)) continue;
    const row = [...first.matchAll(/\w+/g)].map(([name]) => room(name, last, rooms));
    rooms.push(...row);
  }
  return rooms;
}

function room(name: string, cell: string, above: readonly Room[]): Room {
  const mayImport = new Map<string, 'all' | 'types'>(everybody.map((other) => [other, 'all']));
  if (cell.includes('everything above')) for (const other of above) mayImport.set(other.name, 'all');
  for (const [, other = '', types] of cell.matchAll(/`(\w+)`( \(types\))?/g))
    mayImport.set(other, types ? 'types' : 'all');
  return { name, mayImport };
}

/** The room a path lies in: `src/storage/index.ts` → `storage`; undefined for files directly in `src/`. */
export function roomOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

/** Whether a path is a door: `src/ROOM/index.ts`, and for hosts, which are reached one by one, `src/hosts/HOST/index.ts`. */
export function isDoor(path: string): boolean {
  return /^src\/(\w+|hosts\/\w+)\/index\.tsx?$/.test(path);
}

export function hasDoor(name: string): boolean {
  return name === 'hosts' || existsSync(`src/${name}/index.ts`) || existsSync(`src/${name}/index.tsx`);
}
