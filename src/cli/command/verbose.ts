/** `-v=6` and above: tells each request on the error stream, as the reference's client logs it. */
import type { Transport } from '../../client/index.ts';
import type { Session } from './session.ts';

/** Where in the reference's client a line comes from. */
const PLACES = {
  curl: 'round_trippers.go:425',
  url: 'round_trippers.go:422',
  headersTitle: 'round_trippers.go:429',
  header: 'round_trippers.go:433',
  done: 'round_trippers.go:445',
  status: 'round_trippers.go:448',
  answerTitle: 'round_trippers.go:451',
  answerHeader: 'round_trippers.go:454',
  body: 'request.go:1107',
} as const;

/** How many bytes of a body are logged; at the highest level, all of them. */
const MOST_TOLD = 1024;

const SECRET = /^(authorization|cookie)$/i;

/** The same transport; from level 6 on it logs its requests. */
export function verbose(transport: Transport, session: Session, level: number): Transport {
  if (level < 6) return transport;
  const say = (place: keyof typeof PLACES, text: string): void =>
    session.err(`${stamp(session)} ${PLACES[place]}] ${text}\n`);
  return async (path, init) => {
    const method = init?.method ?? 'GET';
    const url = `${session.context?.server ?? ''}${path}`;
    const sent = [...new Headers(init?.headers)].map(
      ([name, value]) => `${titled(name)}: ${SECRET.test(name) ? '<masked>' : value}`,
    );
    if (typeof init?.body === 'string' && level >= 8) say('body', `Request Body: ${shortened(init.body, level)}`);
    if (level >= 9)
      say('curl', `curl -k -v -X${method} ${sent.map((line) => ` -H ${JSON.stringify(line)}`).join('')} '${url}'`);
    else if (level >= 7) {
      say('url', `${method} ${url}`);
      say('headersTitle', 'Request Headers:');
      for (const line of sent) say('header', `    ${line}`);
    }
    const begun = session.clock.now();
    const response = await transport(path, init);
    const how = `${response.status} ${response.statusText || STATUS[response.status] || ''} in ${Math.round(session.clock.now() - begun)} milliseconds`;
    if (level === 6 || level >= 9) say('done', `${method} ${url} ${how}`);
    else say('status', `Response Status: ${how}`);
    if (level < 8) return response;
    say('answerTitle', 'Response Headers:');
    for (const [name, value] of response.headers) say('answerHeader', `    ${titled(name)}: ${value}`);
    // The body of a watch or a log has no end, and streams are no text at all.
    if (!/^application\/json/.test(response.headers.get('content-type') ?? '') || path.includes('watch=true'))
      return response;
    const text = await response.text();
    say('body', `Response Body: ${shortened(text, level)}`);
    return new Response(text, { status: response.status, headers: response.headers });
  };
}

const STATUS: Readonly<Record<number, string>> = {
  ...{ 200: 'OK', 201: 'Created', 202: 'Accepted', 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden' },
  ...{ 404: 'Not Found', 409: 'Conflict', 410: 'Gone', 422: 'Unprocessable Entity', 500: 'Internal Server Error' },
};

/** `content-type` is told as `Content-Type`. */
const titled = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

function shortened(text: string, level: number): string {
  if (level >= 9 || text.length <= MOST_TOLD) return text.trimEnd();
  return `${text.slice(0, MOST_TOLD)} [truncated ${text.length - MOST_TOLD} chars]`;
}

/** `I0131 14:03:27.123000       1` */
function stamp({ clock }: Session): string {
  const [date = '', time = ''] = new Date(clock.now()).toISOString().split('T');
  return `I${date.slice(5).replace('-', '')} ${time.replace('Z', '000')}       1`;
}
