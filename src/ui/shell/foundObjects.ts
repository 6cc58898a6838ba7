/** The objects in the palette and their actions. They are listed once, when the palette opens. */
import { Box } from 'lucide-preact';
import { useEffect, useMemo, useState } from 'preact/compat';
import type { ApiObject } from '../../schema/index.ts';
import { ask } from '../panels/object/actions/asked.ts';
import { actionsFor, objectActions, type Doing, type ObjectAction } from '../panels/object/actions/list.ts';
import { sectionsOf } from '../panels/explore/sections.ts';
import { go, useAddress } from '../stores/address.ts';
import { useObserver } from '../stores/clients.ts';
import { formatRef, pathTo, useResources, type ObjectRef, type Resource } from '../stores/resources.ts';
import { useCluster } from '../stores/session.ts';
import type { Command } from './commands.ts';

const MOST = 500;
/** They come and go all the time, or have another object's name, and nobody looks for one by its name. */
const LEFT_OUT = new Set(['Event', 'Lease', 'EndpointSlice', 'ControllerRevision', 'PodMetrics', 'NodeMetrics']);

const noteOf = ({ resource, namespace }: ObjectRef): string =>
  namespace ? `${resource.kind} in ${namespace}` : resource.kind;

function show(ref: ObjectRef): void {
  const { resource, namespace } = ref;
  const path = [resource.group || 'core', resource.resource];
  const query = { sel: `object:${formatRef(ref)}`, tab: undefined, ...(namespace ? { ns: namespace } : {}) };
  go({ panel: 'explore', path, query });
}

/** A command that shows an object. */
const showing = ({ target }: Doing): Command => ({
  key: `object:${formatRef(target)}`,
  icon: Box,
  label: target.name,
  note: noteOf(target),
  run: () => show(target),
});

/** A command that does something with an object; what asks for more is asked in its inspector. */
function acting(doing: Doing, { id, icon, label, start, unavailable, wish }: ObjectAction): Command {
  const { target } = doing;
  return {
    key: `${id}:${formatRef(target)}`,
    icon,
    label: `${label}: ${target.name}`,
    note: noteOf(target),
    unavailable: unavailable?.(doing),
    wish: { verb: '', ...wish, target: wish && target },
    run: () => {
      if (typeof start !== 'string') return void start(doing);
      show(target);
      ask(doing.object, start);
    },
  };
}

const labels = objectActions.map(({ label }) => label.toLowerCase());
const firstWords = new Set(labels.map((label) => label.split(' ')[0]));

/** The commands for what was found: the objects themselves and, where the text begins as an action does, what it does with each. */
export function objectCommands(found: readonly Doing[], text: string): readonly Command[] {
  const [first = '', second] = text.toLowerCase().trim().split(/\s+/);
  const begins = (label: string): boolean => label.startsWith(first);
  const actions =
    // A word that is only begun may yet become a name.
    (second === undefined && !firstWords.has(first)) || !labels.some(begins)
      ? []
      : found.flatMap((doing) =>
          actionsFor(doing)
            .filter(({ label }) => begins(label.toLowerCase()))
            .map((action) => acting(doing, action)),
        );
  return [...actions.sort(shortestFirst), ...found.map(showing).sort(shortestFirst)];
}

/** A Deployment stands before what belongs to it. */
const shortestFirst = (a: Command, b: Command): number => a.label.length - b.label.length;

/** What a list has leaves its kind unsaid. */
function doingOf(resource: Resource, item: ApiObject): Doing {
  const { namespace = '', name = '' } = item.metadata;
  return { target: { resource, namespace, name }, object: { ...item, kind: resource.kind } };
}

/** Each object that may be listed, in all namespaces or else in the chosen one; at most five hundred of a kind. */
export function useFoundObjects(): readonly Doing[] {
  const client = useObserver();
  const resources = useResources((state) => state.resources);
  const namespace = useAddress((address) => address.query['ns'] ?? '');
  const { domain } = useCluster().names;
  const kinds = useMemo(() => kindsOf(resources, domain), [resources, domain]);
  const [found, setFound] = useState<ReadonlyMap<string, readonly Doing[]>>(new Map());
  useEffect(() => {
    let gone = false;
    const list = async (resource: Resource): Promise<void> => {
      const type = client.of(resource);
      const everywhere = type.list({ limit: MOST });
      const chosen = namespace !== '' && resource.namespaced;
      const { items } = await (chosen ? everywhere.catch(() => type.list({ limit: MOST, namespace })) : everywhere);
      if (gone) return;
      const doings = items.map((item) => doingOf(resource, item));
      // When the kinds are discovered again, what was found stays until the new list is there.
      setFound((before) => new Map(before).set(pathTo(resource), doings));
    };
    for (const resource of kinds) {
      // What somebody may not list is not found for them.
      list(resource).catch(() => undefined);
    }
    return () => void (gone = true);
  }, [client, kinds, namespace]);
  return useMemo(() => kinds.flatMap((resource) => found.get(pathTo(resource)) ?? []), [kinds, found]);
}

/** In the order in which the page lists them: those that most people look for first. */
const kindsOf = (resources: readonly Resource[], domain: string): readonly Resource[] =>
  sectionsOf(resources, domain)
    .flatMap((section) => section.resources)
    .filter(({ kind }) => !LEFT_OUT.has(kind));
