import { SystemError } from '../errors.ts';
import { BaseStream, nullStream, source, type Stream } from '../streams/index.ts';
import type { Process } from '../process.ts';
import { READ, WRITE } from './view.ts';
import type { DeviceKind, FileNode, SpecialNode } from './nodes.ts';

const CHUNK = 64 * 1024;

export interface OpenMode {
  readonly read?: boolean;
  readonly write?: boolean;
  readonly append?: boolean;
  readonly truncate?: boolean;
}

/** An open file: a place in it that reading and writing move on. */
class OpenFile extends BaseStream {
  readonly #node: FileNode;
  readonly #mode: OpenMode;
  readonly #now: () => number;
  #offset = 0;

  constructor(node: FileNode, mode: OpenMode, now: () => number) {
    super();
    this.#node = node;
    this.#mode = mode;
    this.#now = now;
  }

  override async write(bytes: Uint8Array): Promise<void> {
    if (!this.#mode.write) throw new SystemError('EBADF');
    const offset = this.#mode.append ? this.#node.size : this.#offset;
    this.#node.writeAt(offset, bytes, this.#now());
    this.#offset = offset + bytes.length;
  }

  protected override async readMore(): Promise<Uint8Array | undefined> {
    if (!this.#mode.read) throw new SystemError('EBADF');
    const chunk = this.#node.content.slice(this.#offset, this.#offset + CHUNK);
    this.#offset += chunk.length;
    return chunk.length > 0 ? chunk : undefined;
  }
}

/** Opens a file as a stream; `streams` are what `/dev/stdin` and its like stand for. Throws SystemError. */
export function openFile(process: Process, path: string, mode: OpenMode, streams = process.streams): Stream {
  const { files } = process;
  const node = mode.write ? files.open(path, { truncate: mode.truncate ?? false }) : files.find(path).node;
  if (mode.read) files.require(node, READ);
  if (node.type === 'special') return openSpecial(process, node, streams);
  if (node.type === 'directory') throw new SystemError('EISDIR', path);
  if (node.type === 'generated') return readOnce(node.generate(process));
  if (node.type === 'link') throw new SystemError('ELOOP', path);
  if (mode.write) files.require(node, WRITE);
  return new OpenFile(node, mode, () => process.system.clock.now());
}

function readOnce(bytes: Uint8Array): Stream {
  let left: Uint8Array | undefined = bytes;
  return source(() => {
    const chunk = left;
    left = undefined;
    return chunk?.length ? chunk : undefined;
  });
}

const NUMBERS: Readonly<Partial<Record<DeviceKind, number>>> = { stdin: 0, tty: 0, stdout: 1, stderr: 2 };

function openSpecial(process: Process, { kind }: SpecialNode, streams: ReadonlyMap<number, Stream>): Stream {
  if (kind === 'zero') return source(() => new Uint8Array(CHUNK));
  if (kind === 'random') return source(() => process.system.random.bytes(512));
  const stream = streams.get(NUMBERS[kind] ?? -1);
  return stream && (kind !== 'tty' || stream.terminal) ? stream.retain() : nullStream();
}
