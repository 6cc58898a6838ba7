import { ByteReader, ByteWriter } from './bytes.ts';
import { checksum } from './checksum.ts';

/**
 * Everything on disk consists of frames. A row is one or more frames:
 *
 *     length of content (u32) · checksum of content (u32) · content: kind (u8), sequence number (varint), body
 *
 * So rows can be joined by concatenating their bytes, and a damaged byte costs one frame.
 */
export interface Frame {
  readonly kind: FrameKind;
  readonly sequence: number;
  readonly body: ByteReader;
}

/**
 * Before format 2 a snapshot had `base` rows. Since format 3 a joined row of the log has `foldedLog` frames in place of `log`
 * frames, and before them a `like` frame for each text with which they are compared, whose sequence number is the text's.
 */
export const FRAME_KINDS = { head: 1, base: 2, log: 3, folded: 4, like: 5, foldedLog: 6 } as const;
export type FrameKind = keyof typeof FRAME_KINDS;

/** Bytes before the content. */
export const PREFIX = 8;

/** Every frame is written here first: there is one for each group commit. */
const writer = new ByteWriter();

/** Encodes one frame; `write` writes its body, and encodes no other one meanwhile. */
export function encodeFrame(
  kind: FrameKind,
  sequence: number,
  write: (body: ByteWriter) => void,
): Uint8Array<ArrayBuffer> {
  writer.clear();
  writer.u32(0);
  writer.u32(0);
  writer.u8(FRAME_KINDS[kind]);
  writer.varint(sequence);
  write(writer);
  writer.patch32(0, writer.length - PREFIX);
  writer.patch32(4, checksum(writer.view(), PREFIX));
  return writer.take();
}

/** The frames of a row in order; throws RangeError at the first damaged one. */
export function* decodeFrames(row: Uint8Array, ...kinds: readonly FrameKind[]): Iterable<Frame> {
  if (row.length === 0) throw new RangeError('the row is empty');
  for (let at = 0; at < row.length;) {
    const { frame, end } = frameAt(row, at, kinds);
    yield frame;
    at = end;
  }
}

/** The frame that begins there; throws RangeError if it is damaged. */
export function frameAt(
  row: Uint8Array,
  at: number,
  kinds: readonly FrameKind[],
): { readonly frame: Frame; readonly end: number } {
  const prefix = new DataView(row.buffer, row.byteOffset, row.byteLength);
  const from = at + PREFIX;
  if (from > row.length) throw new RangeError('the row is cut short');
  const to = from + prefix.getUint32(at, true);
  if (to > row.length) throw new RangeError('the row is cut short');
  if (checksum(row, from, to) !== prefix.getUint32(at + 4, true)) throw new RangeError('the checksum is wrong');
  const body = new ByteReader(row, from, to);
  const number = body.u8();
  const kind = kinds.find((one) => FRAME_KINDS[one] === number);
  if (!kind) throw new RangeError(`this is not a ${kinds[0]} row`);
  return { frame: { kind, sequence: body.varint(), body }, end: to };
}
