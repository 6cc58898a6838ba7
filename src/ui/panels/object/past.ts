/** What is kept of an object's past, for the panels that show it. */
import { useEffect, useState } from 'preact/compat';
import type { Client } from '../../../client/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { readHistory, type PastState } from '../../stores/history.ts';
import type { ObjectRef } from '../../stores/resources.ts';
import { useCluster } from '../../stores/session.ts';

export interface Past {
  readonly states: readonly PastState[];
  /** The oldest revision that is kept. */
  readonly oldest: number;
}

/** The kept states of an object as `client` may read them, or why it can't. They are read again when `version` changes. */
export function usePast(
  client: Client,
  { resource, namespace, name }: ObjectRef,
  version: string | number,
): { readonly past: Past | undefined; readonly problem: string | undefined } {
  const { cluster } = useCluster();
  const [past, setPast] = useState<Past>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let gone = false;
    const read = async (): Promise<void> => {
      const oldest = (await cluster.storage?.report())?.compacted ?? 0;
      const states = await readHistory(client, { resource, namespace, name }, oldest);
      if (!gone) setPast({ states, oldest });
    };
    read().catch((error: unknown) => !gone && setProblem(messageOf(error)));
    return () => {
      gone = true;
    };
  }, [cluster, client, resource, namespace, name, version]);
  return { past, problem };
}
