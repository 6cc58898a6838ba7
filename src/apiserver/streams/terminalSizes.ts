import { isObject, type Duplex, type TerminalSize } from '../../std/index.ts';

const LONGEST = 1024;

/** The sizes that a client sends: consecutive JSON objects, split anywhere. */
export async function* terminalSizes(stream: Duplex | undefined): AsyncGenerator<TerminalSize> {
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = await stream?.read(); bytes; bytes = await stream?.read()) {
    text += decoder.decode(bytes, { stream: true });
    const parts = text.split('}');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const size = sizeOf(`${part}}`);
      if (size) yield size;
    }
    if (text.length > LONGEST) return;
  }
}

function sizeOf(text: string): TerminalSize | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const { Width: columns, Height: rows } = isObject(value) ? value : {};
    return isCount(columns) && isCount(rows) ? { columns, rows } : undefined;
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535;
