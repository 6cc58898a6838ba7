/** The network as it was at a revision, beside the network as it is. */
import { useEffect, useMemo, useState } from 'preact/compat';
import type { Client } from '../../../client/index.ts';
import { reachSince, type Since } from '../../../explain/index.ts';
import { networkResources, NetworkView, viewHandler } from '../../../network/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { useAdministrator } from '../../stores/clients.ts';
import type { LiveNetwork } from '../../stores/network.ts';
import { parsePort } from './workloads.ts';

export type Comparison =
  | { readonly state: 'reading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'compared'; readonly since: Since };

type Older =
  { readonly revision: string; readonly view: NetworkView } | { readonly revision: string; readonly problem: string };

/** Reads everything that decides where packets go as it was at a revision. */
async function readAt(revision: string, client: Client, { settings }: NetworkView): Promise<NetworkView> {
  const view = new NetworkView(settings);
  const at = { resourceVersion: revision, resourceVersionMatch: 'Exact' } as const;
  const lists = networkResources.map(async (resource) => {
    const { items } = await client.of(resource).list(at);
    const { added } = viewHandler(view, resource.resource);
    for (const item of items) added(item);
  });
  await Promise.all(lists);
  return view;
}

/** What became reachable since a revision; undefined without one. */
export function useSince({ view, version }: LiveNetwork, port: string, revision: string): Comparison | undefined {
  const client = useAdministrator();
  const [older, setOlder] = useState<Older>();
  useEffect(() => {
    if (revision === '') return undefined;
    let current = true;
    readAt(revision, client, view).then(
      (read) => current && setOlder({ revision, view: read }),
      (problem: unknown) => current && setOlder({ revision, problem: messageOf(problem) }),
    );
    return () => void (current = false);
  }, [client, view, revision]);
  return useMemo(() => {
    if (revision === '') return undefined;
    if (older?.revision !== revision) return { state: 'reading' };
    if ('problem' in older) return { state: 'failed', message: older.problem };
    return { state: 'compared', since: reachSince(older.view, view, parsePort(port)) };
    // The view is the same object after each change; its version says that it has changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [older, view, version, port, revision]);
}

/** The newest revision that the view has seen. */
export function newestRevision(view: NetworkView): string {
  const revisions = networkResources.flatMap(({ resource }) =>
    view.all(resource).map(({ metadata }) => Number(metadata?.resourceVersion ?? 0)),
  );
  return String(revisions.reduce((most, each) => Math.max(most, each), 0));
}
