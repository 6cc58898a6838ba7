/** What a request is about, as its address says it. */

export interface Subject {
  /** `core` stands for the group without a name; empty where the address names no resource. */
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

const nothing: Subject = { group: '', resource: '', namespace: '', name: '', subresource: '' };

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Reads `/apis/apps/v1/namespaces/default/deployments/web/scale?…`. */
export function subjectOf(url: string): Subject {
  const parts = (url.split('?', 1)[0] ?? '').split('/').filter(Boolean).map(decoded);
  const isNamed = parts[0] === 'apis';
  if (!isNamed && parts[0] !== 'api') return nothing;
  const group = isNamed ? (parts[1] ?? '') : 'core';
  const rest = parts.slice(isNamed ? 3 : 2);
  const within = rest[0] === 'namespaces' && rest.length > 2 && !OF_NAMESPACES.has(rest[2] ?? '');
  const [resource = '', name = '', subresource = ''] = within ? rest.slice(2) : rest;
  if (resource === '') return nothing;
  return { group, resource, namespace: within ? (rest[1] ?? '') : '', name, subresource };
}

const OF_NAMESPACES = new Set(['status', 'finalize']);

/** The form in which addresses of the page name an object: `apps/deployments/default/web`. */
export const refOf = ({ group, resource, namespace, name }: Subject): string =>
  [group, resource, namespace || '-', name].join('/');

/** With the name that the server gave it, which is the last part of its storage key. */
export const namedBy = (subject: Subject, key: string): Subject =>
  subject.name === '' ? { ...subject, name: key.split('/').at(-1) ?? '' } : subject;

/** Heartbeats and events, which come all the time and cause nothing. */
const BACKGROUND = new Set(['events', 'leases']);

/** Whether a request of a component belongs to the background: reads, signs of life, records, questions about access. */
export function isBackground(method: string, { resource, subresource }: Subject, byNode: boolean): boolean {
  if (method === 'GET' || method === 'HEAD' || resource === '') return true;
  if (BACKGROUND.has(resource) || resource.endsWith('reviews')) return true;
  return (byNode && resource === 'nodes') || subresource === 'token';
}
