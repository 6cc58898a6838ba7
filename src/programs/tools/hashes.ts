import type { Program } from '../process.ts';
import { decodeText, fromBase64, getOwn, md5, toBase64, toHex } from '../../std/index.ts';
import { readAll } from '../streams/index.ts';
import { eachInput, fail, nameOf, out, readOptions } from './tool.ts';

const ALGORITHMS: Readonly<Record<string, string>> = {
  sha1sum: 'SHA-1',
  sha256sum: 'SHA-256',
  sha384sum: 'SHA-384',
  sha512sum: 'SHA-512',
};

/** `md5sum`, `sha256sum` and their like: which one follows from the name; `-c` checks. */
export const digest: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'cbstwz', '', ['check', 'status', 'quiet']);
  const algorithm = getOwn(ALGORITHMS, nameOf(process));
  const hash = async (bytes: Uint8Array): Promise<string> =>
    toHex(algorithm ? new Uint8Array(await crypto.subtle.digest(algorithm, bytes.slice())) : md5(bytes));
  if (options.has('c', 'check')) return check(process, options.rest[0] ?? '', hash);
  return eachInput(process, options.rest, async (stream, name) => {
    await out(process, `${await process.wait(hash(await readAll(stream, process.killed)))}  ${name}\n`);
  });
};

async function check(
  process: Parameters<Program>[0],
  list: string,
  hash: (bytes: Uint8Array) => Promise<string>,
): Promise<number> {
  let code = 0;
  for (const line of process.files.text(list).split('\n').filter(Boolean)) {
    const [, wanted, name = ''] = /^([0-9a-f]+)\s+\*?(.*)$/.exec(line) ?? [];
    const same = (await process.wait(hash(process.files.read(name)))) === wanted;
    if (!same) code = 1;
    await out(process, `${name}: ${same ? 'OK' : 'FAILED'}\n`);
  }
  return code;
}

export const base64: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'di', 'w', ['decode', 'wrap=']);
  const width = Number(options.value('w', 'wrap') ?? 76);
  let valid = true;
  const code = await eachInput(process, options.rest, async (stream) => {
    const bytes = await readAll(stream, process.killed);
    if (!options.has('d', 'decode')) return out(process, wrapped(toBase64(bytes), width));
    const decoded = fromBase64(decodeText(bytes).replace(/\s/g, ''));
    valid &&= decoded !== undefined;
    await out(process, decoded ?? new Uint8Array(0));
  });
  return valid ? code : fail(process, 'invalid input');
};

function wrapped(text: string, width: number): string {
  if (!(width > 0)) return text;
  const lines = Array.from({ length: Math.ceil(text.length / width) }, (_, i) =>
    text.slice(i * width, (i + 1) * width),
  );
  return `${lines.join('\n')}\n`;
}
