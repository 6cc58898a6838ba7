/** How what is followed is named, and by which sign a request is told apart. */
import type { State } from '../../theme/states.ts';
import type { RecordedRequest } from './model/recording.ts';
import { subjectText, type KindOf } from './model/sentences.ts';

/** `Deployment default/web` of `apps/deployments/default/web`. */
export function followedText(ref: string, kindOf: KindOf): string {
  const [group = '', resource = '', namespace = '', ...name] = ref.split('/');
  const place = namespace === '-' ? '' : namespace;
  return subjectText({ group, resource, namespace: place, name: name.join('/'), subresource: '' }, kindOf);
}

export function stateOf({ stop, method }: RecordedRequest): State {
  if (stop) return stop.stage === 'authentication' || stop.stage === 'authorization' ? 'denied' : 'failed';
  if (method === 'DELETE') return 'deleted';
  return method === 'POST' ? 'added' : method === 'GET' ? 'allowed' : 'changed';
}
