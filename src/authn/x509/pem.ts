import { decodePem } from '../../schema/index.ts';
import { toBase64 } from '../../std/index.ts';

export { decodePem, type PemBlock } from '../../schema/index.ts';

/** The DER of all blocks of a type. */
export function pemBodies(text: string, type: string): Uint8Array<ArrayBuffer>[] {
  return decodePem(text).flatMap((block) => (block.type === type ? [block.der] : []));
}

/** One PEM block, in lines of 64 characters, with a final line break. */
export function encodePem(type: string, der: Uint8Array): string {
  const lines = toBase64(der).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`;
}
