/** The objects that the palette finds by name: read once, when it opens. */
import { Box } from 'lucide-react';
import { useEffect, useState } from 'react';
import { go } from '../stores/address.ts';
import { useObserver } from '../stores/clients.ts';
import { formatRef, useResources, type ObjectRef } from '../stores/resources.ts';
import type { Command } from './commands.ts';

const MOST = 500;
/** They come and go all the time, and nobody looks for one by its name. */
const LEFT_OUT = new Set(['events', 'leases', 'endpointslices', 'controllerrevisions']);

function commandFor(ref: ObjectRef): Command {
  const { resource, namespace, name } = ref;
  const path = [resource.group || 'core', resource.resource];
  const query = { sel: `object:${formatRef(ref)}`, tab: undefined, ...(namespace ? { ns: namespace } : {}) };
  return {
    key: `object:${formatRef(ref)}`,
    icon: Box,
    label: name,
    note: namespace ? `${resource.kind} in ${namespace}` : resource.kind,
    run: () => go({ panel: 'explore', path, query }),
  };
}

/** A command for each object that may be listed; at most five hundred of a kind. */
export function useFoundObjects(): readonly Command[] {
  const client = useObserver();
  const resources = useResources((state) => state.resources);
  const [found, setFound] = useState<readonly Command[]>([]);
  useEffect(() => {
    let gone = false;
    for (const resource of resources) {
      if (!resource.verbs.includes('list') || LEFT_OUT.has(resource.resource)) continue;
      client
        .of(resource)
        .list({ limit: MOST })
        .then(({ items }) => {
          if (gone || items.length === 0) return;
          const commands = items.map(({ metadata: { namespace = '', name = '' } }) =>
            commandFor({ resource, namespace, name }),
          );
          setFound((before) => [...before, ...commands]);
        })
        // What somebody may not list is not found for them.
        .catch(() => undefined);
    }
    return () => void (gone = true);
  }, [client, resources]);
  return found;
}
