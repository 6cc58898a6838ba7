/** Whether the server would let the page's identity do something; asked with SelfSubjectAccessReview. */
import { useEffect, useState } from 'preact/compat';
import type { Client } from '../../client/index.ts';
import { readOnlyRefusal } from '../shell/embedding.ts';
import { useObserver } from './clients.ts';
import { useCluster } from './session.ts';
import { asText, at } from './jsonValues.ts';
import type { ObjectRef } from './resources.ts';

export interface Verdict {
  readonly allowed: boolean;
  /** The server's words, where it gave any. */
  readonly reason: string;
}

/** What one wants to do. */
export interface Wish {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Asks the server whether the client's identity may do this. */
export async function mayDo(client: Client, wish: Wish): Promise<Verdict> {
  const { domain } = client.names;
  const review = await client.json(`/apis/authorization.${domain}/v1/selfsubjectaccessreviews`, {
    method: 'POST',
    body: {
      apiVersion: `authorization.${domain}/v1`,
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: wish },
    },
  });
  return { allowed: at(review, 'status', 'allowed') === true, reason: asText(at(review, 'status', 'reason')) };
}

const inWords = ({ verb, resource, group, subresource, namespace }: Wish): string => {
  const what = `${resource}${group && `.${group}`}${subresource ? `/${subresource}` : ''}`;
  return `${verb} ${what}${namespace ? ` in ${namespace}` : ''}`;
};

/** Why the page's identity can't do this to the object; undefined while it can, or as long as nobody knows. */
export function useRefusal(verb: string, target: ObjectRef | undefined, subresource = ''): string | undefined {
  const client = useObserver();
  const { past } = useCluster();
  const [refusal, setRefusal] = useState<string>();
  const { resource, namespace = '', name = '' } = target ?? {};
  useEffect(() => {
    setRefusal(undefined);
    if (!resource) return undefined;
    let gone = false;
    const wish = { verb, group: resource.group, resource: resource.resource, subresource, namespace, name };
    const show = ({ allowed, reason }: Verdict): void => {
      if (!gone) setRefusal(allowed ? undefined : `Not allowed to ${inWords(wish)}.${reason && ` ${reason}`}`);
    };
    // A server without reviews, or one that refuses them, decides when the action itself is tried.
    mayDo(client, wish).then(show, () => undefined);
    return () => {
      gone = true;
    };
  }, [client, verb, resource, namespace, name, subresource]);
  return past ? `Nothing can be changed in the past.` : (readOnlyRefusal ?? refusal);
}
