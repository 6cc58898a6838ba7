/** How what is followed is named. */
import { subjectText, type KindOf } from './model/sentences.ts';

/** `Deployment default/web` of `apps/deployments/default/web`. */
export function followedText(ref: string, kindOf: KindOf): string {
  const [group = '', resource = '', namespace = '', ...name] = ref.split('/');
  const place = namespace === '-' ? '' : namespace;
  return subjectText({ group, resource, namespace: place, name: name.join('/'), subresource: '' }, kindOf);
}
