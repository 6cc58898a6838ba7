/** What is dropped on the terminal: files, and folders with all that is in them. */

/** More than the home folder has room for is not read. */
const MOST_FILES = 1000;
const MOST_BYTES = 4 * 1024 * 1024;

/** Files by their paths. Throws an Error that says so if they are too many or too large. */
export async function readDropped(data: DataTransfer): Promise<ReadonlyMap<string, Uint8Array>> {
  // What was dropped can only be asked for before the first pause.
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const dropped = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const entries = dropped.flatMap(({ entry }) => entry ?? []);
  // Not every file stands in a file system.
  const loose = dropped.flatMap(({ entry, file }): Placed[] => (!entry && file ? [[file.name, file]] : []));
  return readFiles([...loose, ...(await filesOf(entries))]);
}

/** Chosen files by their paths; those of a chosen folder have its name before them. Throws as `readDropped` does. */
export const readChosen = (files: FileList): Promise<ReadonlyMap<string, Uint8Array>> =>
  readFiles([...files].map((file) => [file.webkitRelativePath || file.name, file] as const));

type Placed = readonly [path: string, file: File];

async function filesOf(entries: readonly FileSystemEntry[]): Promise<readonly Placed[]> {
  const found: Placed[] = [];
  const waiting = [...entries];
  for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
    if (isFile(entry)) found.push([entry.fullPath, await fileOf(entry)]);
    else if (isFolder(entry)) waiting.push(...(await entriesOf(entry)));
    if (found.length > MOST_FILES) throw tooMany();
  }
  return found;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const tooMany = (): Error => new Error(`More than ${MOST_FILES} files.`);

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** A reader hands out a folder in pieces; the last one is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const piece = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (piece.length === 0) return found;
    found.push(...piece);
    if (found.length > MOST_FILES) throw tooMany();
  }
}

async function readFiles(files: readonly Placed[]): Promise<ReadonlyMap<string, Uint8Array>> {
  if (files.length > MOST_FILES) throw tooMany();
  const bytes = files.reduce((sum, [, { size }]) => sum + size, 0);
  if (bytes > MOST_BYTES)
    throw new Error('Together they are larger than 4 MiB, for which the home folder has no room.');
  const read = files.map(async ([path, file]) => [path, new Uint8Array(await file.arrayBuffer())] as const);
  return new Map(await Promise.all(read));
}
