/** What a command is about: words such as `pods`, `pods,svc`, `pod web-0 web-1`, `deploy/web svc/web`. */
import type { DiscoveredResource } from '../../client/index.ts';
import type { Call } from '../command/command.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { findResource, inCategory } from './served.ts';

/** One object by its name, or without one all that are selected. */
export interface Target {
  readonly resource: DiscoveredResource;
  /** Empty for resources without one, and for all namespaces. */
  readonly namespace: string;
  readonly name?: string;
}

/** The words of a command whose names are of one type. A name may be typed with its type, as in `node/a b`. */
export const wordsOfType = (type: string, names: readonly string[]): readonly string[] =>
  names.some((name) => name.includes('/'))
    ? names.map((name) => (name.includes('/') ? name : `${type}/${name}`))
    : [type, ...names];

export interface Targets {
  readonly list: readonly Target[];
  /** More than one type was asked for, so each object has to say of which it is. */
  readonly mixed: boolean;
}

interface Choice {
  readonly allNamespaces?: boolean;
  /** Whether a selector was given: then there may be no names. */
  readonly selects?: boolean;
}

/** Reads a command's words. Throws CommandError where they name nothing, or nothing that is served. */
export async function readTargets(call: Call, words: readonly string[], choice: Choice = {}): Promise<Targets> {
  if (words.length === 0) throw complaint('Required resource not specified.');
  return words.some((word) => word.includes('/')) ? byPairs(call, words, choice) : byTypes(call, words, choice);
}

async function byPairs(call: Call, words: readonly string[], { allNamespaces, selects }: Choice): Promise<Targets> {
  const [first = ''] = words;
  if (!words.every((word) => word.includes('/'))) {
    const example = `'${call.session.program} get resource/<resource_name>' instead of '${call.session.program} get resource resource/<resource_name>'`;
    if (!first.includes('/'))
      throw complaint(
        `there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. ${example}`,
      );
    throw complaint(
      `there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. ${example}`,
    );
  }
  if (selects) throw complaint('selectors and the all flag cannot be used when passing resource/name arguments');
  if (allNamespaces) throw complaint('a resource cannot be retrieved by name across all namespaces');
  const list: Target[] = [];
  for (const word of words) {
    const [type = '', name = '', ...more] = word.split('/');
    if (more.length > 0) throw complaint('arguments in resource/name form may not have more than one slash');
    if (type === '' || name === '')
      throw complaint('arguments in resource/name form must have a single resource and name');
    const resource = await findResource(call.session, call.client, type);
    list.push({ resource, namespace: resource.namespaced ? call.namespace : '', name });
  }
  return { list, mixed: new Set(list.map(({ resource }) => resource.kind)).size > 1 };
}

async function byTypes(call: Call, words: readonly string[], choice: Choice): Promise<Targets> {
  const [types = '', ...names] = words;
  if (types.endsWith(',') && names.length > 0)
    throw complaint('arguments in resource/name form must have a single resource and name');
  const resources: DiscoveredResource[] = [];
  let mixed = false;
  for (const type of types.split(',')) {
    const category = await inCategory(call.session, call.client, type);
    if (category.length > 0) mixed = true;
    resources.push(...(category.length > 0 ? category : [await findResource(call.session, call.client, type)]));
  }
  if (names.length > 0 && choice.selects) throw complaint('name cannot be provided when a selector is specified');
  if (names.length > 0 && choice.allNamespaces && resources.some(({ namespaced }) => namespaced))
    throw complaint('a resource cannot be retrieved by name across all namespaces');
  const list = resources.flatMap((resource): Target[] => {
    const namespace = resource.namespaced && !choice.allNamespaces ? call.namespace : '';
    return names.length === 0 ? [{ resource, namespace }] : names.map((name) => ({ resource, namespace, name }));
  });
  return { list, mixed: mixed || resources.length > 1 };
}

/** What `get` says to somebody who names no resource. */
export const nothingNamed = (call: Call): CommandError =>
  new CommandError(
    [
      `You must specify the type of resource to get. Use "${call.session.program} api-resources" for a complete list of supported resources.\n`,
      'error: Required resource not specified.',
      `Use "${call.session.program} explain <resource>" for a detailed description of that resource (e.g. ${call.session.program} explain pods).`,
      `See '${call.path} -h' for help and examples`,
    ].join('\n'),
  );
