/** A list read in pages: every page shows the snapshot of the first, whatever is written meanwhile. */
import { create } from '../store.ts';
import { StatusError, type Status } from '../../schema/index.ts';
import { toast } from '../parts/Toast.tsx';
import { messageOf } from './actions.ts';
import { theClient } from './clients.ts';
import { join } from './followers.ts';
import { asText, at } from './jsonValues.ts';
import type { Resource } from './resources.ts';

export interface Page {
  readonly names: readonly string[];
  readonly revision: string;
  /** What to send for the next page; empty after the last. */
  readonly token: string;
  readonly remaining: number | undefined;
  /** It goes on from where an expired token stood, in a newer snapshot. */
  readonly inconsistent: boolean;
}

interface Paging {
  readonly resource: Resource | undefined;
  readonly namespace: string;
  readonly limit: number;
  readonly pages: readonly Page[];
  readonly problem: Status | undefined;
  /** The token that a 410 offers instead: it continues at a newer revision. */
  readonly fresh: string;
  readonly busy: boolean;
}

const nothing: Paging = {
  resource: undefined,
  namespace: '',
  limit: 3,
  pages: [],
  problem: undefined,
  fresh: '',
  busy: false,
};

export const usePaging = create<Paging>()(() => nothing);

const follower = { forget: (): void => usePaging.setState(nothing) };

const nameOf = (metadata: { readonly namespace?: string; readonly name?: string }): string =>
  metadata.namespace ? `${metadata.namespace}/${metadata.name ?? ''}` : (metadata.name ?? '');

async function fetchPage(token: string, inconsistent: boolean): Promise<void> {
  const { resource, namespace, limit, pages } = usePaging.getState();
  if (!resource) return;
  usePaging.setState({ busy: true, problem: undefined, fresh: '' });
  try {
    const where = namespace ? { namespace } : {};
    const list = await theClient()
      .metadataOf(resource)
      .list({ ...where, limit, ...(token ? { continue: token } : {}) });
    const page: Page = {
      names: list.items.map((item) => nameOf(item.metadata)),
      revision: list.metadata.resourceVersion ?? '',
      token: list.metadata.continue ?? '',
      remaining: list.metadata.remainingItemCount,
      inconsistent,
    };
    usePaging.setState({ pages: [...pages, page], busy: false });
  } catch (error) {
    const problem = error instanceof StatusError ? error.status : undefined;
    if (!problem) toast('failed', 'The page could not be read.', messageOf(error));
    usePaging.setState({ busy: false, problem, fresh: problem?.metadata.continue ?? '' });
  }
}

/** Begins anew: the first page fixes the snapshot. */
export function startPaging(resource: Resource, namespace: string, limit: number): Promise<void> {
  join(follower);
  usePaging.setState({ ...nothing, resource, namespace, limit });
  return fetchPage('', false);
}

/** The page after the last one. */
export function nextPage(): Promise<void> {
  return fetchPage(usePaging.getState().pages.at(-1)?.token ?? '', false);
}

/** Goes on after an expired token with the one that the server offered: later objects, from a newer snapshot. */
export function continueInconsistently(): Promise<void> {
  return fetchPage(usePaging.getState().fresh, true);
}

/** What a token says: it is opaque to clients, and readable here, since seeing is the point. */
export function readToken(token: string): { readonly revision: string; readonly start: string } | undefined {
  try {
    const padded = token.replaceAll('-', '+').replaceAll('_', '/');
    const said: unknown = JSON.parse(atob(padded));
    return { revision: asText(at(said, 'rv')), start: asText(at(said, 'start')).replace(/\0$/, '') };
  } catch {
    return undefined;
  }
}
