/** Reading an answer for a person: the whole of it, or as it streams in. */

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  readonly text: string;
  /** More may come: a watch, a log that is followed. */
  readonly open: boolean;
}

const SHOWN = 200_000;

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** JSON with its lines laid out; anything else, such as the lines of a watch, as it came. */
export function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const cut = (text: string): string =>
  text.length > SHOWN ? `${text.slice(0, SHOWN)}\n… ${text.length - SHOWN} more characters` : text;

/** Calls `show` with the answer so far, whenever more of it has come. */
export async function readAnswer(response: Response, show: (answer: Answer) => void): Promise<void> {
  const frame = {
    status: response.status,
    statusText: response.statusText || (reasons[response.status] ?? ''),
    contentType: response.headers.get('content-type') ?? '',
  };
  let text = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    text = (text + next.value).slice(0, SHOWN * 2);
    show({ ...frame, text: cut(text), open: true });
  }
  show({ ...frame, text: cut(laidOut(text)), open: false });
}
