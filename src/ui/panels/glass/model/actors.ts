/** Who takes part: those who ask the API server and those who watch it. */
import { isAdministratorName } from '../../../stores/administrator.ts';
import type { Sender } from '../../../../trace/index.ts';

export type ActorKind = 'person' | 'page' | 'controllers' | 'scheduler' | 'node' | 'server';

/** `page`, `controllers`, `scheduler`, `server`, `node:NAME` or `user:NAME`. */
export type ActorId = string;

export const actorOfUser = (user: string): ActorId => `user:${user}`;

const NODE = 'system:node:';

const isServer = (name: string): boolean => /(^|[:-])apiserver$/.test(name);

/** Who sends requests that come in by this way; `user` is empty until it is known. */
export function actorOfRequest(origin: string, sender: Sender, user: string): ActorId {
  if (sender === 'page') return 'page';
  if (sender === 'person' || origin === 'pod') return actorOfUser(user);
  if (origin.startsWith(NODE)) return `node:${origin.slice(NODE.length)}`;
  if (origin.endsWith('-scheduler')) return 'scheduler';
  return isServer(origin) ? 'server' : 'controllers';
}

/** Whose watch this is. */
export function actorOfWatch(user: string, userAgent: string): ActorId {
  if (userAgent.startsWith('vitrine-observer')) return 'page';
  if (user.startsWith(NODE)) return `node:${user.slice(NODE.length)}`;
  if (userAgent.endsWith('-scheduler')) return 'scheduler';
  if (userAgent.endsWith('-controller-manager')) return 'controllers';
  return isServer(user) || isServer(userAgent) ? 'server' : actorOfUser(user);
}

export function kindOfActor(id: ActorId): ActorKind {
  if (id.startsWith('user:')) return 'person';
  if (id.startsWith('node:')) return 'node';
  return id === 'page' || id === 'controllers' || id === 'scheduler' ? id : 'server';
}

/** The user's name, as the server knows it. */
export const userOfActor = (id: ActorId): string => id.slice(id.indexOf(':') + 1);

/** The name of a node or of a user, the administrator's as the page calls it; for others what they are called. */
export function nameOfActor(id: ActorId): string {
  const kind = kindOfActor(id);
  const name = userOfActor(id);
  if (kind === 'person') return isAdministratorName(name) ? 'administrator' : name || 'somebody';
  if (kind === 'node') return name;
  return { page: 'this page', controllers: 'controller manager', scheduler: 'scheduler', server: 'API server' }[kind];
}
