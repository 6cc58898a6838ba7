import type { Lane } from './lanes.ts';

/** One request of a scenario and what was answered, as text. */
export interface Exchange {
  readonly request: string;
  answer: string;
}

/** A lane that also writes down what passes through it; streams are written down as far as they were read. */
export function recordExchanges(lane: Lane): { lane: Lane; exchanges: Exchange[] } {
  const exchanges: Exchange[] = [];
  const call: Lane['call'] = async (path, init = {}) => {
    const headers = Object.entries(Object.fromEntries(new Headers(init.headers)))
      .filter(([name]) => name !== 'authorization')
      .map(([name, value]) => `${name}: ${value}`);
    const lines = [`→ ${init.method ?? 'GET'} ${path}`, ...headers, typeof init.body === 'string' ? init.body : ''];
    const exchange: Exchange = { request: lines.filter((line) => line !== '').join('\n'), answer: '(no answer)' };
    exchanges.push(exchange);
    const response = await lane.call(path, init);
    exchange.answer = `← ${response.status} ${response.headers.get('content-type') ?? ''}\n`;
    return tap(response, (text) => (exchange.answer += text));
  };
  return { lane: { call, close: () => lane.close() }, exchanges };
}

function tap(response: Response, onText: (text: string) => void): Response {
  if (!response.body) return response;
  const decoder = new TextDecoder();
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onText(decoder.decode(chunk, { stream: true }));
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(body, { status: response.status, headers: response.headers });
}

/** The exchanges of a scenario for reading; polling that got the same answer again is counted, not repeated. */
export function describeExchanges(exchanges: readonly Exchange[]): string {
  const lines: string[] = [];
  let repeated = 0;
  exchanges.forEach((exchange, i) => {
    const next = exchanges[i + 1];
    if (next?.request === exchange.request && next.answer === exchange.answer) {
      repeated++;
      return;
    }
    lines.push(exchange.request, exchange.answer.trimEnd() + (repeated > 0 ? `\n(${repeated + 1} times)` : ''), '');
    repeated = 0;
  });
  return lines.map((line) => line.replaceAll(/^/gm, '       ')).join('\n');
}
