import { decodeText } from '../../std/index.ts';

const TAGS = [
  ...['!DOCTYPE HTML', 'HTML', 'HEAD', 'SCRIPT', 'IFRAME', 'H1', 'DIV', 'FONT', 'TABLE', 'A', 'STYLE', 'TITLE', 'B'],
  ...['BODY', 'BR', 'P', '!--'],
];
const PAGE = new RegExp(`^\\s*<(?:${TAGS.join('|')})[ >]`, 'i');
/** As many bytes are looked at. */
const LOOKED_AT = 512;

/** The media type that servers guess from a body: a page, XML, text, or anything else. */
export function sniffedType(body: Uint8Array): string {
  const begin = body.subarray(0, LOOKED_AT);
  if (begin.some(isControl)) return 'application/octet-stream';
  const text = decodeText(begin);
  if (PAGE.test(text)) return 'text/html; charset=utf-8';
  return /^\s*<\?xml/.test(text) ? 'text/xml; charset=utf-8' : 'text/plain; charset=utf-8';
}

/** A byte that no text has: a control character that is neither white space nor escape. */
const isControl = (byte: number): boolean => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
