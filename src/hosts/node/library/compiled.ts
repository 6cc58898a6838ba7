/**
 * Loads the scripts of the package together with their compiled code, which an earlier process has kept: to compile them
 * anew takes a third of a start. Without that code, or where its folder can't be written, the scripts are compiled as
 * usual.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** The parameters of a CommonJS module. */
type Wrapper = (exports: object, require: (id: string) => unknown, module: { exports: object }) => void;

interface Loaded {
  readonly module: { exports: object };
  readonly script: Script;
  /** The file with the compiled code. */
  readonly kept: string;
  isKept: boolean;
}

/** Bytes before the code: its checksum, because V8 trusts what it is given. */
const HEADER = 4;

export class CompiledScripts {
  readonly #folder: string;
  readonly #cache: string;
  readonly #platform: (id: string) => unknown;
  readonly #loaded = new Map<string, Loaded>();

  /** CommonJS files in `folder`, whose names change with their contents. */
  constructor(folder: string, cache: string) {
    this.#folder = folder;
    this.#cache = cache;
    this.#platform = createRequire(join(folder, 'index.cjs'));
  }

  /** The exports of a file of the folder, or of a module of Node. */
  load(id: string): unknown {
    if (isBuiltin(id)) return this.#platform(id);
    const name = basename(id);
    return (this.#loaded.get(name) ?? this.#run(name)).module.exports;
  }

  /** Keeps the code that has been compiled until now, for the next process. */
  keep(): void {
    for (const loaded of this.#loaded.values()) {
      if (loaded.isKept) continue;
      loaded.isKept = true;
      writeCode(loaded.kept, loaded.script.createCachedData());
    }
  }

  #run(name: string): Loaded {
    const file = join(this.#folder, name);
    const kept = join(this.#cache, `${name}-${process.version}-${process.arch}`);
    const cachedData = readCode(kept);
    const source = `(function (exports, require, module) {${readFileSync(file, 'utf8')}\n})`;
    const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
    const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
    const loaded: Loaded = { module: { exports: {} }, script, kept, isKept };
    this.#loaded.set(name, loaded);
    const run = script.runInThisContext() as Wrapper;
    run(loaded.module.exports, (id) => this.load(id), loaded.module);
    return loaded;
  }
}

/** Undefined if there is none, or not all of it. */
function readCode(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(HEADER);
    return bytes.length > HEADER && bytes.readUInt32LE() === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a file of its own and renames it, because other processes may read or write the same file at the same time. */
function writeCode(file: string, code: Buffer): void {
  const header = Buffer.alloc(HEADER);
  header.writeUInt32LE(crc32(code));
  const draft = `${file}.${process.pid}-${process.hrtime.bigint()}`;
  try {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(draft, Buffer.concat([header, code]));
    renameSync(draft, file);
  } catch {
    // A folder that can't be written: each process compiles for itself.
  }
}
