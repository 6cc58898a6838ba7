/** `set env`: the variables of containers. */
import { namesFiles } from '../../server/manifests.ts';
import type { ApiObject, objects } from '../../../schema/index.ts';
import { decodeText, fromBase64, getOwn } from '../../../std/index.ts';
import { command, type Call } from '../../command/command.ts';
import { allOf } from '../../command/each.ts';
import { complaint } from '../../command/errors.ts';
import { text, texts, toggle } from '../../command/flags.ts';
import { wholeInput } from '../../command/session.ts';
import { splitPairs, type Pairs } from '../../command/pairs.ts';
import { podSpecOf, withPodSpec, type Container } from '../../server/podSpecs.ts';
import { liveOrLocal, selectedObjects, type Found } from '../../server/selected.ts';
import { setEach, selectingFlags, specIn } from './changing.ts';
import { matching } from './containers.ts';

type Variable = objects.EnvVar;

const flags = {
  ...selectingFlags,
  containers: text({
    ...{ short: 'c', initial: '*' },
  }),
  env: texts({ short: 'e' }),
  from: text(),
  keys: texts({ separator: ',' }),
  list: toggle(),
  overwrite: toggle({ initial: true }),
  prefix: text(),
  resolve: toggle(),
};

type EnvCall = Call<typeof flags>;

export const env = command({
  name: 'env',
  flags,
  run: async (call) => {
    const { before, pairs, piped } = await variablesOf(call);
    if (before.length === 0 && !namesFiles(call.flags))
      throw complaint('one or more resources must be specified as <resource> <name> or <resource>/<name>');
    if (pairs.removed.some((key) => pairs.set.has(key)))
      throw complaint('can not both modify and remove the same environment variable in the same command');
    const added = [...[...pairs.set].map(([name, value]) => ({ name, value })), ...(await imported(call))];
    // With names of their own, objects are not all that there are.
    const all = call.flags.all && !before.some((word) => word.includes('/'));
    const found = await liveOrLocal({ ...call, flags: { ...call.flags, all } }, before);
    if (call.flags.list) {
      for (const each of allOf(found)) await listOne(call, { ...each, object: nextObject(call, each, added, pairs) });
      return;
    }
    // As in the reference, nothing is done where nothing was piped in.
    if (piped === '') return;
    await setEach(call, found, {
      did: 'env updated',
      failure: 'failed to patch env update to pod template:',
      next: (each) => nextObject(call, each, added, pairs),
    });
  },
});

interface Typed {
  /** The words that name objects. */
  readonly before: readonly string[];
  readonly pairs: Pairs;
  /** What was piped in, for a word `-`; undefined without that word. */
  readonly piped: string | undefined;
}

/** What is set and removed by words, by `--env`, and by lines that are piped in for the word `-`. */
async function variablesOf({ args, flags: given, session }: EnvCall): Promise<Typed> {
  const reads = args.includes('-');
  const { before, pairs } = splitPairs(args.filter((word) => word !== '-'));
  const piped = reads ? await wholeInput(session) : undefined;
  const lines = (piped ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const more = splitPairs([...given.env, ...lines]).pairs;
  return {
    before,
    piped,
    pairs: { set: new Map([...pairs.set, ...more.set]), removed: [...pairs.removed, ...more.removed] },
  };
}

/** Variables from a config map or a secret. */
async function imported(call: EnvCall): Promise<readonly Variable[]> {
  const { from, keys, prefix } = call.flags;
  if (from === '') return [];
  const plain = {
    ...call,
    flags: { ...call.flags, filename: [], kustomize: '', all: false, selector: '', 'field-selector': '' },
  };
  const sources = allOf(await selectedObjects(plain, [from]));
  return sources.flatMap(({ resource: { kind }, name, object }) => {
    if (kind !== 'ConfigMap' && kind !== 'Secret') throw complaint('unsupported resource specified in --from');
    const { data = {} } = object as ApiObject & { readonly data?: Readonly<Record<string, string>> };
    const chosen = Object.keys(data).filter((key) => keys.length === 0 || keys.includes(key));
    return chosen.map((key): Variable => {
      const ref = { name, key };
      const valueFrom = kind === 'ConfigMap' ? { configMapKeyRef: ref } : { secretKeyRef: ref };
      return { name: prefix + key.replace(/[^a-zA-Z0-9_]/g, '_').toUpperCase(), valueFrom };
    });
  });
}

function nextObject(call: EnvCall, found: Found, added: readonly Variable[], { removed }: Pairs): ApiObject {
  const { resource, name, object } = found;
  const spec = specIn(call, found);
  const chosen = matching(call.flags.containers);
  if (!spec.containers.some((container) => chosen(container.name))) {
    call.session.err(
      `warning: ${resource.kind}/${name} does not have any containers matching ${JSON.stringify(call.flags.containers)}\n`,
    );
    return object;
  }
  // As in the reference, init containers keep theirs.
  const containers = spec.containers.map((container) => {
    if (!chosen(container.name)) return container;
    if (!call.flags.overwrite) checkNew(found, container, added);
    return withVariables(container, added, removed);
  });
  return withPodSpec(object, { ...spec, containers });
}

function checkNew({ resource, name }: Found, container: Container, added: readonly Variable[]): void {
  for (const { name: key } of added) {
    const present = container.env?.find((each) => each.name === key);
    if (present)
      throw complaint(
        `${resource.resource}/${name} '${key}' already has a value (${present.value ?? ''}), and --overwrite is false`,
      );
  }
}

function withVariables(container: Container, added: readonly Variable[], removed: readonly string[]): Container {
  const before = container.env ?? [];
  const names = new Set(before.map(({ name }) => name));
  const kept = before
    .filter(({ name }) => !removed.includes(name))
    .map((each) => added.find(({ name }) => name === each.name) ?? each);
  const all = [...kept, ...added.filter(({ name }) => !names.has(name))];
  if (all.length === 0 && !container.env) return container;
  const { env: _, ...bare } = container;
  return all.length === 0 ? bare : { ...container, env: all };
}

async function listOne(call: EnvCall, { resource, name, namespace, object }: Found): Promise<void> {
  const {
    session,
    flags: { containers, resolve },
  } = call;
  const chosen = matching(containers);
  for (const container of podSpecOf(object)?.containers ?? []) {
    if (!chosen(container.name)) continue;
    session.out(`# ${resource.kind} ${name}, container ${container.name}\n`);
    for (const variable of container.env ?? []) {
      const value = resolve ? await valueOf(call, variable, namespace) : undefined;
      session.out(`${value === undefined ? variableText(variable) : `${variable.name}=${value}`}\n`);
    }
  }
}

/** What a variable takes from a config map or a secret; undefined where it takes nothing from one. */
async function valueOf({ client }: EnvCall, { valueFrom }: Variable, namespace: string): Promise<string | undefined> {
  const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
  const ref = configMapKeyRef ?? secretKeyRef;
  if (!ref) return undefined;
  const path = `/api/v1/namespaces/${namespace}/${configMapKeyRef ? 'configmaps' : 'secrets'}/${ref.name ?? ''}`;
  const { data } = (await client.json(path)) as { readonly data?: Readonly<Record<string, string>> };
  const value = getOwn(data ?? {}, ref.key);
  return value !== undefined && secretKeyRef ? decodeText(fromBase64(value) ?? new Uint8Array()) : value;
}

function variableText({ name, value = '', valueFrom }: Variable): string {
  if (!valueFrom) return `${name}=${value}`;
  const { configMapKeyRef, secretKeyRef, fieldRef } = valueFrom;
  if (configMapKeyRef) return `# ${name} from configmap ${configMapKeyRef.name}, key ${configMapKeyRef.key}`;
  if (secretKeyRef) return `# ${name} from secret ${secretKeyRef.name}, key ${secretKeyRef.key}`;
  if (fieldRef) return `# ${name} from field path ${fieldRef.fieldPath}`;
  return `# ${name} from resource`;
}
