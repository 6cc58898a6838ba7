import { fromBase64, toBase64 } from '../../std/index.ts';

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly der: Uint8Array<ArrayBuffer>;
}

/** All PEM blocks of a text, in order; what stands between them, and blocks that are none, is skipped. */
export function decodePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (const match of text.matchAll(/-----BEGIN ([^-\r\n]+)-----\r?\n([\s\S]*?)-----END \1-----/g)) {
    const lines = String(match[2]).split(/\r?\n/);
    const blank = lines.findIndex((line) => line.includes(':')) < 0 ? 0 : lines.indexOf('') + 1;
    const der = fromBase64(lines.slice(blank).join('').replace(/\s/g, ''));
    if (der) blocks.push({ type: String(match[1]), hasHeaders: blank > 0, der });
  }
  return blocks;
}

/** The DER of all blocks of one type. */
export function pemBodies(text: string, type: string): Uint8Array<ArrayBuffer>[] {
  return decodePem(text).flatMap((block) => (block.type === type ? [block.der] : []));
}

/** One PEM block, in lines of 64 characters, with a line break at its end. */
export function encodePem(type: string, der: Uint8Array): string {
  const lines = toBase64(der).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`;
}
