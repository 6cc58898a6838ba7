import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Room } from './rooms.ts';
import { hasDoor, isDoor, readRooms, roomOf } from './rooms.ts';
import type { Import } from './source.ts';
import { importsOf, readSources } from './source.ts';

const rooms = readRooms();
const imports = readSources().flatMap(importsOf);
const at = ({ file, line, specifier }: Import): string => `${file}:${line} imports ${specifier}`;

/** Packages that have one home, by the beginning of their name. */
const homes: readonly (readonly [RegExp, string, RegExp])[] = [
  [/^msw\b/, 'hosts/page', /^src\/hosts\/page\//],
  [/^(preact|lucide-preact|zustand|monaco-)\b/, 'ui/', /^src\/(ui\/|main\.tsx$)/],
  [/^(quickjs-|@jitl\/)/, 'hosts/sandbox', /^src\/hosts\/sandbox\//],
  [/^(node:|vite\b|ws\b)/, 'hosts/node or hosts/bridge', /^src\/hosts\/(node|bridge|page\/build)\//],
];

describe('rooms', () => {
  test('ARCHITECTURE.md lists exactly the folders of src/', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const listed = rooms.map((room) => room.name).sort();
    expect(listed, 'add the row to the table of rooms in ARCHITECTURE.md, or remove it there').toEqual(
      folders.map((folder) => folder.name).sort(),
    );
  });

  test('each has an entry point, index.ts', () => {
    const missing = rooms.filter((room) => !hasDoor(room.name)).map((room) => `src/${room.name}/index.ts`);
    expect(missing, 'write the door: named exports of what other rooms may use').toEqual([]);
  });

  test('import only what the table in ARCHITECTURE.md allows', () => {
    const wrong = imports.flatMap((found) => forbidden(found) ?? []);
    expect(wrong, 'hand the thing in from the composition root, or move it to a room that may have it').toEqual([]);
  });

  test('are imported through their entry point', () => {
    const wrong = imports.filter(({ file, target }) => target && leavesRoom(file, target) && !isDoor(target));
    expect(wrong.map(at), 'export it from the room’s index.ts and import it from there').toEqual([]);
  });

  test('contain the packages that belong to them', () => {
    const wrong = imports.flatMap((found) => {
      const home = homes.find(([name]) => found.target === undefined && name.test(found.specifier));
      return home && !home[2].test(found.file) ? [`${at(found)}, which belongs in ${home[1]}`] : [];
    });
    expect(wrong, 'let the room that is its home do that work').toEqual([]);
  });
});

function leavesRoom(file: string, target: string): boolean {
  return roomOf(target) !== undefined && roomOf(target) !== roomOf(file);
}

/** What is wrong with an import between rooms; `main.tsx` puts everything together and may import any door. */
function forbidden(found: Import): string | undefined {
  const from = roomOf(found.file);
  if (from === undefined || !found.target || !leavesRoom(found.file, found.target)) return undefined;
  const to = roomOf(found.target) ?? '';
  const allowed = rooms.find((room: Room) => room.name === from)?.mayImport.get(to);
  if (allowed === 'all' || (allowed === 'types' && found.typeOnly)) return undefined;
  return `${at(found)}: ${from} may not import ${to}${allowed === 'types' ? ' except types' : ''}`;
}
