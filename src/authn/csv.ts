/**
 * Parses comma-separated values (RFC 4180): fields may be quoted, with doubled quotes inside. Blank lines are skipped.
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const scanner = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  for (;;) {
    const at = scanner.lastIndex;
    const match = scanner.exec(text);
    if (!match) throw new Error(`malformed record at character ${at}`);
    const [, quoted, plain = '', end] = match;
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (record.length > 1 || record[0] !== '') records.push(record);
    if (end === '') return records;
    record = [];
  }
}
