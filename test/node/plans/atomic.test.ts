import { describe, expect, test } from 'vitest';
import { AtomicVolume, type Payload } from '../../../src/node/volumes/atomic.ts';
import { Device, type DirectoryNode } from '../../../src/programs/index.ts';
import { decodeText, encodeText } from '../../../src/std/index.ts';

const START = Date.UTC(2026, 0, 1);
const files = (texts: Record<string, string>): Map<string, Payload> =>
  new Map(Object.entries(texts).map(([path, text]) => [path, { content: encodeText(text), mode: 0o640 }]));

function newVolume() {
  const device = new Device('tmpfs', 'tmpfs', 1024);
  const time = { now: START };
  return { device, time, volume: new AtomicVolume(device, () => time.now) };
}

/** The names in a volume's root, and the texts of the files that its links lead to. */
function shown({ tree }: AtomicVolume): Record<string, string> {
  const { entries } = tree.root;
  const data = entries.get('..data');
  const current = entries.get(data?.type === 'link' ? data.target : '') as DirectoryNode;
  return Object.fromEntries(
    Array.from(entries).map(([name, node]) => {
      const file = node.type === 'link' ? current.entries.get(name) : undefined;
      return [name, file?.type === 'file' ? decodeText(file.content) : node.type];
    }),
  );
}

describe('the files of an atomic volume', () => {
  test('are in a directory named after the time of writing, and linked', () => {
    const { volume, time } = newVolume();
    volume.write(files({ token: 'abc', 'ca.crt': 'xyz' }));
    time.now += 5000;
    expect(shown(volume)).toEqual({
      '..2026_01_01_00_00_00.000000000': 'directory',
      '..data': 'link',
      token: 'abc',
      'ca.crt': 'xyz',
    });
  });

  test('have the time of writing, even if somebody looks later', () => {
    const { volume, time } = newVolume();
    volume.write(files({ token: 'abc' }));
    time.now += 5000;
    const [directory] = volume.tree.root.entries.values();
    expect([volume.tree.root.modified, directory?.modified]).toEqual([START, START]);
  });

  test('that were replaced before anybody looked are those of the last write', () => {
    const { volume, time } = newVolume();
    volume.write(files({ token: 'abc', old: '1' }));
    time.now += 5000;
    volume.write(files({ token: 'def' }));
    time.now += 5000;
    expect(shown(volume)).toEqual({
      '..2026_01_01_00_00_05.000000000': 'directory',
      '..data': 'link',
      token: 'def',
    });
    expect(volume.tree.root.modified).toBe(START + 5000);
  });

  test('are replaced in place once somebody has looked', () => {
    const { volume, time } = newVolume();
    volume.write(files({ token: 'abc', old: '1' }));
    shown(volume);
    time.now += 5000;
    volume.write(files({ token: 'def' }));
    expect(shown(volume)).toEqual({
      '..data': 'link',
      '..2026_01_01_00_00_05.000000000': 'directory',
      token: 'def',
    });
  });

  test.each([
    ['before anybody has looked', false],
    ['after somebody has looked', true],
  ])('stay as they are if the same is written %s', (_when, looks) => {
    const { volume, time } = newVolume();
    volume.write(files({ token: 'abc' }));
    if (looks) shown(volume);
    time.now += 5000;
    volume.write(files({ token: 'abc' }));
    expect(Object.keys(shown(volume))).toContain('..2026_01_01_00_00_00.000000000');
  });

  test('are there if somebody looked before anything was written', () => {
    const { volume } = newVolume();
    expect([...volume.tree.root.entries.keys()]).toEqual([]);
    volume.write(files({ token: 'abc' }));
    expect(shown(volume)).toMatchObject({ token: 'abc' });
  });

  test('count on their device, whether somebody has looked or not', () => {
    const { volume, device } = newVolume();
    volume.write(files({ token: 'abc' }));
    expect(device.used).toBe(3);
    volume.write(files({ token: 'abcdef' }));
    expect(device.used).toBe(6);
    shown(volume);
    expect(device.used).toBe(6);
    volume.write(files({ token: 'ab' }));
    expect(device.used).toBe(2);
  });

  test('of a volume without files are its link and its empty directory', () => {
    const { volume } = newVolume();
    volume.write(new Map());
    expect(shown(volume)).toEqual({ '..2026_01_01_00_00_00.000000000': 'directory', '..data': 'link' });
  });

  test('that share a content are changed one by one', () => {
    const [one, other] = [newVolume().volume, newVolume().volume];
    const shared = files({ token: 'abc' });
    one.write(shared);
    other.write(shared);
    const current = [...one.tree.root.entries.values()].find((node) => node.type === 'directory');
    const token = current?.entries.get('token');
    if (token?.type !== 'file') throw new Error('no file');
    token.writeAt(0, encodeText('x'), START);
    expect([
      shown(one)['token'],
      shown(other)['token'],
      decodeText(shared.get('token')?.content ?? encodeText('')),
    ]).toEqual(['xbc', 'abc', 'abc']);
  });
});
