import { fromBase64 } from '../../std/index.ts';

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly der: Uint8Array<ArrayBuffer>;
}

const BLOCK = /-----BEGIN ([^-\r\n]+)-----[ \t]*\r?\n([\s\S]*?)-----END \1-----/g;

/** All PEM blocks of a text, in order; what stands between them, and blocks that are none, is skipped. */
export function decodePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (const match of text.matchAll(BLOCK)) {
    const lines = String(match[2]).split(/\r?\n/);
    // Headers, where there are any, end at the first empty line.
    const body = lines[0]?.includes(':') ? lines.indexOf('') + 1 : 0;
    const der = fromBase64(lines.slice(body).join('').replace(/\s/g, ''));
    if (der) blocks.push({ type: String(match[1]), hasHeaders: body > 0, der });
  }
  return blocks;
}
