import { constants, createDeflate, createInflate } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { dictionary } from '../../src/hosts/node/spdy/dictionary.ts';
import { controlFrame, dataFrame, FIN, FrameReader, numbers, PING } from '../../src/hosts/node/spdy/frames.ts';
import { decodeHeaders, Deflater, encodeHeaders, Inflater } from '../../src/hosts/node/spdy/headers.ts';

/** RFC 1950, section 8.2. */
function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}

describe('SPDY headers', () => {
  test('are compressed with the dictionary of the draft', () => {
    expect([dictionary.length, adler32(dictionary)]).toEqual([1423, 0xe3c6a7c2]);
  });

  const headers = new Map([
    ['streamtype', 'stdin'],
    ['port', '8080'],
    ['empty', ''],
  ]);

  test('are read as they were written, names in lower case', () => {
    expect(decodeHeaders(encodeHeaders(headers))).toEqual(headers);
    expect(decodeHeaders(encodeHeaders(new Map([['streamType', 'error']])))).toEqual(
      new Map([['streamtype', 'error']]),
    );
  });

  const damaged: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['a name that is cut off', Buffer.concat([numbers(1, 9), Buffer.from('ab')])],
    ['fewer pairs than it says', numbers(2, 0, 0)],
  ];
  test.each(damaged)('are refused when there is %s', (_, block) => {
    expect(() => decodeHeaders(block)).toThrow(RangeError);
  });

  test('of several frames are one zlib stream in each direction', async () => {
    const deflate = createDeflate({ dictionary });
    const flushed = (block: Buffer): Promise<Buffer> =>
      new Promise((resolve) => {
        deflate.write(block);
        deflate.flush(constants.Z_SYNC_FLUSH, () => resolve(deflate.read() as Buffer));
      });
    const inflater = new Inflater();
    for (let i = 0; i < 3; i++)
      expect(decodeHeaders(await inflater.inflate(await flushed(encodeHeaders(headers))))).toEqual(headers);
    inflater.close();
  });

  test('that this side sends are read by zlib', async () => {
    const deflater = new Deflater();
    const parts = [1, 2, 3].map((i) => deflater.deflate(Buffer.from(`block ${i};`)));
    const inflate = createInflate({ dictionary, finishFlush: constants.Z_SYNC_FLUSH });
    inflate.end(Buffer.concat(parts));
    let text = '';
    for await (const part of inflate) text += String(part);
    expect(text).toBe('block 1;block 2;block 3;');
  });

  test('that are damaged or too long are refused', async () => {
    await expect(new Inflater().inflate(Buffer.from('no zlib stream'))).rejects.toThrow();
    const deflater = new Deflater();
    const inflater = new Inflater();
    await inflater.inflate(deflater.deflate(Buffer.alloc(60_000)));
    const two = Buffer.concat([deflater.deflate(Buffer.alloc(60_000)), deflater.deflate(Buffer.alloc(60_000))]);
    await expect(inflater.inflate(two)).rejects.toThrow('too many headers');
  });
});

describe('SPDY frames', () => {
  const table: [string, Buffer, string][] = [
    ['data', dataFrame(5, Buffer.from('hi')), '00000005' + '00' + '000002' + '6869'],
    ['the end of data', dataFrame(1, Buffer.alloc(0), FIN), '00000001' + '01' + '000000'],
    ['a ping', controlFrame(PING, numbers(7)), '80030006' + '00' + '000004' + '00000007'],
  ];
  test.each(table)('%s', (_, frame, hex) => expect(frame.toString('hex')).toBe(hex));

  const ping = { type: PING, flags: 0, payload: numbers(7) };
  const data = { type: 'data', stream: 5, flags: FIN, payload: Buffer.from('hi') };
  const whole = Buffer.concat([controlFrame(PING, numbers(7)), dataFrame(5, Buffer.from('hi'), FIN)]);

  test.each([1, 3, 8, 13, 100])('are cut out of bytes that come in parts of %i', (size) => {
    const reader = new FrameReader();
    const frames: unknown[] = [];
    for (let at = 0; at < whole.length; at += size) frames.push(...reader.read(whole.subarray(at, at + size)));
    expect(frames).toEqual([ping, data]);
  });

  const wrong: [string, string][] = [
    ['80020001' + '00000000', 'SPDY version 2'],
    ['80030001' + '00ffffff', 'too long'],
  ];
  test.each(wrong)('%s is refused: %s', (hex, why) => {
    expect(() => new FrameReader().read(Buffer.from(hex, 'hex'))).toThrow(why);
  });
});
