/** The rules for where a webhook is: its URL, or the service behind which it is. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import { checkPortNumber, checkSubdomain } from '../values/names.ts';
import { parseUrl } from '../values/url.ts';
import { present, type Errors } from './checks.ts';

interface ClientConfig {
  readonly url?: string;
  readonly service?: Service;
}

interface Service {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string;
  readonly port?: number;
}

const DESIRED = '; desired format: https://host[/path]';

/** Exactly one of URL and service; `path` is the configuration's. */
export function* validateClientConfig({ url, service }: ClientConfig, path: Path): Errors {
  if ((url === undefined) === (service === undefined))
    return yield field.required(path, 'exactly one of url or service is required');
  if (url !== undefined) yield* validateUrl(url, path.child('url'));
  if (service) yield* validateService(service, path.child('service'));
}

function* validateUrl(text: string, path: Path): Errors {
  const url = parseUrl(text);
  if (!url) return yield field.required(path, `url must be a valid URL${DESIRED}`);
  if (url.scheme !== 'https') yield field.invalid(path, url.scheme, `'https' is the only allowed URL scheme${DESIRED}`);
  if (url.host === '') yield field.invalid(path, url.host, `host must be specified${DESIRED}`);
  if (url.user !== undefined) yield field.invalid(path, url.user, 'user information is not permitted in the URL');
  if (url.fragment !== '') yield field.invalid(path, url.fragment, 'fragments are not permitted in the URL');
  if (url.query !== '') yield field.invalid(path, url.query, 'query parameters are not permitted in the URL');
}

function* validateService({ name, namespace, path: text = '', port = 0 }: Service, path: Path): Errors {
  // The reference takes each of the two for the other.
  yield* present(namespace, path.child('name'));
  yield* present(name, path.child('namespace'));
  const wrong = checkPortNumber(port);
  if (wrong.length > 0) yield field.invalid(path.child('port'), port, `port is not valid: ${wrong.join(', ')}`);
  yield* validatePath(text, path.child('path'));
}

function* validatePath(text: string, path: Path): Errors {
  if (text === '' || text === '/') return;
  if (text === '//') return yield field.invalid(path, text, 'segment[0] may not be empty');
  if (!text.startsWith('/')) yield field.invalid(path, text, "must start with a '/'");
  for (const [i, segment] of text.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (segment === '') yield field.invalid(path, text, `segment[${i}] may not be empty`);
    else for (const message of checkSubdomain(segment)) yield field.invalid(path, text, `segment[${i}]: ${message}`);
  }
}
