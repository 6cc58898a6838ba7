/** `@csv` and its like: how values are written for others to read. */
import { decodeText, encodeText, fromBase64, getOwn, toBase64 } from '../../std/index.ts';
import { described, JqError, jsonOf, typeOf } from './values.ts';

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : jsonOf(value));

const TAGS: Readonly<Record<string, string>> = {
  ...{ '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&#39;', '"': '&quot;' },
};

/** A row of cells; only what has one line can be a cell. */
function row(value: unknown, name: string, separator: string, text: (text: string) => string): string {
  if (!Array.isArray(value)) throw new JqError(`${described(value)} cannot be ${name}-formatted, only an array can be`);
  return (value as unknown[])
    .map((cell) => {
      if (typeof cell === 'string') return text(cell);
      if (cell === null) return '';
      if (typeof cell === 'object') throw new JqError(`${described(cell)} is not valid in a ${name} row`);
      return jsonOf(cell);
    })
    .join(separator);
}

const quotedForShell = (value: unknown): string => {
  if (typeof value === 'string') return `'${value.replaceAll("'", `'\\''`)}'`;
  if (typeOf(value) === 'object' || typeOf(value) === 'array')
    throw new JqError(`${described(value)} can not be escaped for shell`);
  return jsonOf(value);
};

const formats: Readonly<Record<string, (value: unknown) => string>> = {
  text: textOf,
  json: (value) => jsonOf(value),
  csv: (value) => row(value, 'csv', ',', (text) => `"${text.replaceAll('"', '""')}"`),
  tsv: (value) =>
    row(value, 'tsv', '\t', (text) =>
      text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r'),
    ),
  html: (value) => textOf(value).replace(/[<>&'"]/g, (each) => TAGS[each as '<'] ?? each),
  uri: (value) =>
    encodeURIComponent(textOf(value)).replace(
      /[!'()*]/g,
      (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  sh: (value) => (Array.isArray(value) ? (value as unknown[]).map(quotedForShell).join(' ') : quotedForShell(value)),
  base64: (value) => toBase64(encodeText(textOf(value))),
  base64d: (value) => {
    const text = textOf(value).replace(/=+$/, '');
    const bytes = fromBase64(text.padEnd(Math.ceil(text.length / 4) * 4, '='));
    if (!bytes) throw new JqError(`${described(value)} is not valid base64 data`);
    return decodeText(bytes);
  },
};

/** A value in a format. Throws JqError. */
export function formatted(name: string, value: unknown): string {
  const format = getOwn(formats, name);
  if (!format) throw new JqError(`${name} is not a valid format`);
  return format(value);
}
