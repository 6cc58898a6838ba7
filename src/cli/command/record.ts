/** `--record`: the command line is noted in the objects that it changes; `rollout history` shows it. */
import type { ApiObject } from '../../schema/index.ts';
import type { Call } from './command.ts';
import { toggle, type Flags } from './flags.ts';

export const recordFlags = {
  record: toggle(),
} as const satisfies Flags;

/** Commands that can't note their lines have no such flag. */
type RecordCall = Pick<Call, 'path' | 'args' | 'typed' | 'client'> & { readonly flags: { readonly record?: boolean } };

/** The annotation that `--record` adds; undefined without it. */
function noteOf({ flags, path, args, typed, client }: RecordCall): Readonly<Record<string, string>> | undefined {
  if (!flags.record) return undefined;
  const line = [path, ...args, ...typed.map(([name, value]) => `--${name}=${value}`)].join(' ');
  return { [client.names.fill('{label}/change-cause')]: line };
}

/** The object with the command line noted in it, where that is asked for. */
export function recorded(call: RecordCall, object: ApiObject): ApiObject {
  const note = noteOf(call);
  if (!note) return object;
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata?.annotations, ...note } } };
}

/** The merge patch that notes the command line in an object that was changed; undefined where none is asked for. */
export function recordPatch(call: RecordCall): unknown {
  const annotations = noteOf(call);
  return annotations && { metadata: { annotations } };
}
