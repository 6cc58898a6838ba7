/** What plugins ask the authorizers about a user. */
import type { Attributes } from '../../authz/index.ts';
import type { PluginDeps } from '../types.ts';

/** A question about a resource; what is left out is empty. */
export type Question = Pick<Attributes, 'user' | 'verb' | 'resource'> &
  Partial<Omit<Attributes, 'isResource' | 'path'>>;

/** The authorizers' word on a question: undefined where they allow it, their reason where they do not. */
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
