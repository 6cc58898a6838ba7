import { events as eventsRef, pathOf } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { command } from '../command/command.ts';
import { complaint } from '../command/errors.ts';
import { text, texts, toggle } from '../command/flags.ts';
import { Columns } from '../output/columns.ts';
import { ageOf } from '../output/text.ts';
import { findResource } from '../server/served.ts';

type Event = objects.Event;

/** A command of later versions of the reference's client. */
export const events = command({
  name: 'events',
  summary: 'List events, the latest last',
  flags: {
    'all-namespaces': toggle({ short: 'A', help: 'If present, list events across all namespaces.' }),
    for: text({ help: 'Only events about this object, written TYPE/NAME.' }),
    'no-headers': toggle({ help: "Don't print headers." }),
    types: texts({ separator: ',', help: 'Only events of these types: Normal, Warning.' }),
  },
  run: async (call) => {
    const { client, flags: given, namespace, session } = call;
    const everywhere = given['all-namespaces'];
    const path = pathOf(eventsRef, client.names, everywhere ? '' : namespace);
    const fieldSelector =
      given.for === '' ? '' : await selectorOf(given.for, (type) => findResource(session, client, type));
    const { items } = (await client.json(path, { query: { fieldSelector } })) as {
      readonly items?: readonly Event[] | null;
    };
    const wanted = (items ?? []).filter(({ type = '' }) => given.types.length === 0 || given.types.includes(type));
    const shown = [...wanted].sort((a, b) => lastOf(a).localeCompare(lastOf(b)));
    if (shown.length === 0)
      return session.err(everywhere ? 'No events found\n' : `No events found in ${namespace} namespace.\n`);
    const head = [...(everywhere ? ['NAMESPACE'] : []), 'LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'];
    const rows = shown.map((event) => [
      ...(everywhere ? [event.metadata?.namespace ?? ''] : []),
      ...[ageOf(lastOf(event), session.clock.now()), event.type ?? '', event.reason ?? ''],
      ...[`${event.involvedObject?.kind ?? ''}/${event.involvedObject?.name ?? ''}`, (event.message ?? '').trim()],
    ]);
    session.out(new Columns().lines(given['no-headers'] ? rows : [head, ...rows]));
  },
});

const lastOf = ({ lastTimestamp, eventTime, metadata }: Event): string =>
  lastTimestamp ?? eventTime ?? metadata?.creationTimestamp ?? '';

async function selectorOf(word: string, find: (type: string) => Promise<{ readonly kind: string }>): Promise<string> {
  const [type = '', name = '', ...more] = word.split('/');
  if (name === '' || more.length > 0) throw complaint('--for must be in resource/name form');
  return `involvedObject.kind=${(await find(type)).kind},involvedObject.name=${name}`;
}
