import { FRAME_KINDS, frameAt, PREFIX, type Frame, type FrameKind } from './frame.ts';

/** The intact frames of a damaged row. */
export function* soundFrames(row: Uint8Array, ...kinds: readonly FrameKind[]): Iterable<Frame> {
  for (let at = 0; at < row.length;) {
    const found = isFrame(row, at, kinds) ? frameAt(row, at, kinds) : undefined;
    if (found) yield found.frame;
    at = found?.end ?? at + 1;
  }
}

/** Whether an intact frame begins there. Most positions are rejected without reading the whole frame. */
function isFrame(row: Uint8Array, at: number, kinds: readonly FrameKind[]): boolean {
  if (!kinds.some((kind) => row[at + PREFIX] === FRAME_KINDS[kind])) return false;
  try {
    frameAt(row, at, kinds);
    return true;
  } catch {
    return false;
  }
}
