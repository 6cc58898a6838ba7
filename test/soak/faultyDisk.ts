/** A disk that can be made to fail, and that outlives the cluster on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { segmentBackend } from '../../src/hosts/node/data/segments.ts';
import type { Random } from '../../src/std/index.ts';
import { memoryBackend, memoryDisk, WriteError, type Backend } from '../../src/storage/index.ts';

/** What goes wrong with writes at the moment: nothing, there is no room, or some are aborted. */
export type DiskFault = 'none' | 'full' | 'aborts';

/** Of ten writes so many fail while they are aborted; some of those are on the disk nevertheless. */
const ABORTED = 3;
const WRITTEN_ANYWAY = 1;

export interface FaultyDisk {
  fault: DiskFault;
  /** Opens what is there, and fences off who had it open before. A disk fails only while it is in use. */
  open(): Promise<Backend>;
  remove(): void;
}

export function faultyDisk(kind: 'memory' | 'files', random: Random): FaultyDisk {
  const { open, remove } = kind === 'memory' ? inMemory() : inFiles();
  const disk: FaultyDisk = {
    fault: 'none',
    remove,
    open: async () => {
      disk.fault = 'none';
      return failing(await open(), disk, random);
    },
  };
  return disk;
}

type Place = Pick<FaultyDisk, 'open' | 'remove'>;

function inMemory(): Place {
  const disk = memoryDisk();
  return { open: async () => memoryBackend(disk), remove: () => undefined };
}

function inFiles(): Place {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-soak-'));
  return {
    open: () => segmentBackend(directory, { segmentBytes: 256 << 10, copyBytes: 32 << 10 }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function failing(backend: Backend, disk: FaultyDisk, random: Random): Backend {
  return {
    read: (...range) => backend.read(...range),
    close: () => backend.close(),
    get full() {
      return disk.fault === 'full';
    },
    write: async (batch) => {
      if (disk.fault === 'full' && batch.frees !== true) throw new WriteError('quota', 'there is no room');
      const dice = disk.fault === 'aborts' ? random.int(10) : Infinity;
      if (dice >= ABORTED || dice < WRITTEN_ANYWAY) await backend.write(batch);
      if (dice < ABORTED) throw new WriteError('failed', 'the transaction was aborted');
    },
  };
}
