/** The workloads that a roll-out command is about. */
import type { objects } from '../../../schema/index.ts';
import type { Call } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import type { fileFlags } from '../../server/manifests.ts';
import { namesFiles } from '../../server/manifests.ts';
import { selectedObjects, type Found, type selectionFlags } from '../../server/selected.ts';

/** Throws if none is named. */
export async function namedWorkloads(call: Call<typeof fileFlags>): Promise<readonly (Found | Error)[]> {
  if (call.args.length === 0 && !namesFiles(call.flags)) throw complaint('required resource not specified');
  const [type = ''] = call.args;
  // A type alone names all of it.
  const all = call.args.length === 1 && !type.includes('/');
  const none = { all, selector: '', 'field-selector': '' };
  return selectedObjects(
    { ...call, flags: { ...call.flags, ...none } } satisfies Call<typeof selectionFlags>,
    call.args,
  );
}

/** What a workload says of its pods; nothing for other kinds. */
export interface Workload {
  readonly metadata: { readonly generation?: number };
  readonly spec?: {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly selector?: unknown;
    readonly template?: objects.PodTemplateSpec;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  };
  readonly status?: Readonly<Record<string, unknown>>;
}
