/** One process at a time works on a data directory. */
import { stat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Locks a directory for this process until the returned function is called or the process ends for any reason: the lock
 * is a socket on which nobody else can listen. Rejects if another process of this machine holds it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const address = await addressOf(directory);
  const server = (await listenOn(address)) ?? ((await isLeftBehind(address)) ? await listenOn(address) : undefined);
  if (!server) throw new Error(`the data directory ${directory} is in use by another process`);
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** Named after the directory itself rather than its path, of which there may be several. */
async function addressOf(directory: string): Promise<string> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const name = `vitrine-data-${dev}-${ino}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function listenOn(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}

/** Whether a process that was killed has left its socket as a file; where sockets are no files, none is left. */
async function isLeftBehind(address: string): Promise<boolean> {
  if (process.platform === 'linux' || process.platform === 'win32') return false;
  const refused = await new Promise<boolean>((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
  if (refused) await unlink(address);
  return refused;
}
