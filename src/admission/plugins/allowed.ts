/** Access checks that plugins make for a user. */
import type { Attributes } from '../../authz/index.ts';
import type { PluginDeps } from '../types.ts';

/** A question about a resource; missing fields are empty. */
export type Question = Pick<Attributes, 'user' | 'verb' | 'resource'> &
  Partial<Omit<Attributes, 'isResource' | 'path'>>;

/** The authorizers' decision: undefined if allowed, otherwise their reason. */
export async function refusalOf(question: Question, { authorize }: PluginDeps): Promise<string | undefined> {
  const { decision, reason } = await authorize({
    namespace: '',
    group: '',
    version: '*',
    subresource: '',
    name: '',
    ...question,
    isResource: true,
    path: '',
  });
  return decision === 'allow' ? undefined : reason;
}
