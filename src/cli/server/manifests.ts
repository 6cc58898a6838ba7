/** Objects from files: `-f pod.yaml`, `-f folder`, `-f -`. */
import type { DiscoveredResource } from '../../client/index.ts';
import { parseLabelSelector, StatusError, type ApiObject } from '../../schema/index.ts';
import { isObject, Part, sortKeys, trimRight } from '../../std/index.ts';
import type { Call } from '../command/command.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { text, texts, toggle, type Flags, type Values } from '../command/flags.ts';
import { wholeInput, type Session } from '../command/session.ts';
import { isJsonStream, readJsonStream } from './jsonStream.ts';
import { resourceOfKind } from './served.ts';
import type { Target } from './targets.ts';
import { problemsOf } from './validation.ts';
import { loadYaml, readYamlStream } from './yaml.ts';

/** The flags of commands that read files. */
export const fileFlags = {
  filename: texts({ short: 'f', separator: ',' }),
  kustomize: text({
    short: 'k',
  }),
  recursive: toggle({ short: 'R' }),
} as const satisfies Flags;

/** An object as a file says it, and where it goes. */
export interface Manifest {
  readonly resource: DiscoveredResource;
  /** Empty for resources without one. */
  readonly namespace: string;
  /** As it stands in the file, with the namespace where it goes. */
  readonly object: ApiObject;
  /** As it stands in the file. */
  readonly plain: ApiObject;
  /** The path of the file; `STDIN`; empty for the items of a list. */
  readonly source: string;
}

/** What builds folders comes when somebody builds one. */
const kustomizePart = new Part(() => import('../kustomize/index.ts'));

/** The objects that a kustomization makes. Throws an Error that says what is wrong with it. */
export async function buildFolder(
  session: Session,
  path: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { build } = await kustomizePart.load();
  return build(session.files, path, session.names);
}

/** Whether the words say files, so that kinds and names are not needed. */
export const namesFiles = ({ filename = [], kustomize = '' }: Partial<Values<typeof fileFlags>>): boolean =>
  filename.length > 0 || kustomize !== '';

export type FileCall = Call<typeof fileFlags>;

/** The call of a command that lacks some of these flags. Flags that it lacks count as not given. */
export function filesOf(call: Call & { readonly flags: Partial<Values<typeof fileFlags>> }): FileCall {
  const { filename = [], kustomize = '', recursive = false } = call.flags;
  return { ...call, flags: { ...call.flags, filename, kustomize, recursive } };
}

/** Each manifest, or the error of a document that is none. Throws CommandError if a file does not exist or is not YAML. */
export async function readManifests(call: FileCall, validate: boolean): Promise<readonly (Manifest | Error)[]> {
  const { filename, kustomize, recursive } = call.flags;
  if (filename.length === 0 && kustomize === '') throw complaint('must specify one of -f and -k');
  if (filename.length > 0 && kustomize !== '') throw complaint('only one of -f or -k can be specified');
  if (kustomize !== '' && recursive) throw complaint("the -k flag can't be used with -f or -R");
  const manifests: (Manifest | Error)[] = [];
  if (kustomize !== '')
    for (const object of await buildFolder(call.session, kustomize))
      manifests.push(...(await manifestsOf(call, { source: kustomize, validate }, object)));
  let hasFiles = false;
  for (const path of filename) {
    for (const [source, text] of await readTexts(call, path)) {
      hasFiles = true;
      const { values, problem } = await documentsOf(source, text);
      manifests.push(...(await manifestsIn(call, { source, validate }, values)));
      // What stands before the mistake is read.
      if (problem && !(manifests.at(-1) instanceof Error)) manifests.push(problem);
    }
    if (!hasFiles) throw complaint(`error reading [${path}]: recognized file extensions are [.json .yaml .yml]`);
  }
  return manifests;
}

/** The manifests of one file. As in the reference, a document that fails validation ends it. */
async function manifestsIn(
  call: FileCall,
  origin: Origin,
  documents: readonly unknown[],
): Promise<readonly (Manifest | Error)[]> {
  const manifests: (Manifest | Error)[] = [];
  for (const document of documents) {
    manifests.push(...(await manifestsOf(call, origin, document)));
    if (manifests.at(-1) instanceof InvalidDocument) break;
  }
  return manifests;
}

/** What files name. */
export interface Named {
  readonly targets: readonly Target[];
  /** What is wrong with some of their documents. */
  readonly problems: readonly Error[];
}

/** What the files name, to be read from the server. */
export async function namedInFiles(call: FileCall): Promise<Named> {
  if (call.args.length > 0)
    throw complaint('when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well');
  const manifests = await readManifests(call, false);
  return {
    targets: manifests.flatMap((manifest) => {
      if (manifest instanceof Error) return [];
      const { resource, namespace, object } = manifest;
      return [{ resource, namespace, name: object.metadata.name ?? '' }];
    }),
    problems: manifests.filter((manifest) => manifest instanceof Error),
  };
}

/** The same; throws the first problem. */
export async function fileTargets(call: FileCall): Promise<readonly Target[]> {
  const { targets, problems } = await namedInFiles(call);
  const [problem] = problems;
  if (problem) throw problem;
  return targets;
}

/** Throws if the files hold no objects. */
export function someManifests<T>(manifests: readonly T[], verb: string): readonly T[] {
  if (manifests.length === 0) throw complaint(`no objects passed to ${verb}`);
  return manifests;
}

/** Those whose labels the selector chooses. Throws CommandError for a selector that is none. */
export function chosenBy<T extends Pick<Manifest, 'object'>>(
  selector: string,
  manifests: readonly (T | Error)[],
): readonly (T | Error)[] {
  const chosen = choosing(selector);
  return manifests.filter((each) => each instanceof Error || chosen(each.object));
}

/** Whether a selector chooses an object by its labels. Throws CommandError for a selector that is none. */
export function choosing(selector: string): (object: Partial<ApiObject>) => boolean {
  if (selector === '') return () => true;
  const read = readSelector(selector);
  return ({ metadata }) => read.matches(metadata?.labels ?? {});
}

function readSelector(selector: string): ReturnType<typeof parseLabelSelector> {
  try {
    return parseLabelSelector(selector);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw complaint(`the provided selector ${JSON.stringify(selector)} is not valid: ${why}`);
  }
}

const MANIFEST = /\.(json|ya?ml)$/;

async function readTexts({ session, flags }: FileCall, path: string): Promise<readonly (readonly [string, string])[]> {
  if (path === '-') return [['STDIN', await wholeInput(session)]];
  const text = await session.files.read(path);
  if (text !== undefined) return [[path, text]];
  const folder = `${trimRight(path, '/')}/`;
  const inFolder = (await session.files.list(path))?.filter(
    (each) => MANIFEST.test(each) && (flags.recursive || !each.slice(folder.length).includes('/')),
  );
  if (!inFolder) throw complaint(`the path ${JSON.stringify(path)} does not exist`);
  return Promise.all(inFolder.map(async (each) => [each, (await session.files.read(each)) ?? ''] as const));
}

interface Documents {
  readonly values: readonly unknown[];
  /** The mistake that ends them. */
  readonly problem?: Error | undefined;
}

/** The documents of a text that are not empty. */
async function documentsOf(source: string, text: string): Promise<Documents> {
  await loadYaml();
  const { values, problem } = isJsonStream(text) ? readJsonStream(text) : readYamlStream(text);
  return {
    values: values.filter((value) => value !== null && value !== undefined),
    problem: problem === undefined ? undefined : complaint(`error parsing ${source}: ${problem}`),
  };
}

interface Origin {
  readonly source: string;
  readonly validate: boolean;
}

async function manifestsOf(call: FileCall, origin: Origin, value: unknown): Promise<readonly (Manifest | Error)[]> {
  if (isObject(value) && value['kind'] === 'List' && Array.isArray(value['items'])) {
    const manifests: (Manifest | Error)[] = [];
    for (const item of value['items'] as unknown[])
      manifests.push(...(await manifestsOf(call, { ...origin, source: '' }, item)));
    return manifests;
  }
  return [await manifestOf(call, origin, value)];
}

async function manifestOf(call: FileCall, { source, validate }: Origin, value: unknown): Promise<Manifest | Error> {
  if (validate && Array.isArray(value)) return invalid(source, 'invalid object to validate');
  const { apiVersion, kind } = isObject(value) ? value : {};
  if (validate && !isText(kind) && !isText(apiVersion)) return invalid(source, '[apiVersion not set, kind not set]');
  if (!isText(kind)) return incomplete(source, 'kind', validate, value);
  if (!isText(apiVersion)) return incomplete(source, 'apiVersion', validate, value);
  const resource = await resourceOfKind(call.session, call.client, apiVersion, kind);
  if (!resource)
    return complaint(
      `unable to recognize ${JSON.stringify(source)}: no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`,
    );
  const problems = validate ? await problemsOf(call, { resource, value }) : [];
  if (problems.length > 0)
    return invalid(source, problems.length === 1 ? `${problems[0]}` : `[${problems.join(', ')}]`);
  return placed(call, resource, value as ApiObject, source);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function placed(call: FileCall, resource: DiscoveredResource, object: ApiObject, source: string): Manifest | Error {
  const own = object.metadata?.namespace ?? '';
  if (!resource.namespaced) return { resource, namespace: '', object, plain: object, source };
  if (own !== '' && call.given.has('namespace') && own !== call.namespace)
    return complaint(
      `the namespace from the provided object ${JSON.stringify(own)} does not match the namespace ${JSON.stringify(call.namespace)}. You must pass '--namespace=${own}' to perform this operation.`,
    );
  const namespace = own || call.namespace;
  return {
    resource,
    namespace,
    object: { ...object, metadata: { ...object.metadata, namespace } },
    plain: object,
    source,
  };
}

function incomplete(source: string, field: 'kind' | 'apiVersion', validate: boolean, value: unknown): Error {
  if (validate) return invalid(source, `${field} not set`);
  const missing = field === 'kind' ? 'Kind' : 'apiVersion';
  return complaint(
    `unable to decode ${JSON.stringify(source)}: Object '${missing}' is missing in '${JSON.stringify(sortKeys(value))}'`,
  );
}

/** A document that does not fit what the server says of its kind. */
class InvalidDocument extends CommandError {}

const invalid = (source: string, problem: string): Error =>
  new InvalidDocument(
    `error: error validating ${JSON.stringify(source)}: error validating data: ${problem}; if you choose to ignore these errors, turn validation off with --validate=false`,
  );

/** Adds the file to a refusal; validation errors are listed by field. */
export function atSource(error: unknown, verb: string, source: string): unknown {
  if (source === '') return error;
  if (!(error instanceof StatusError))
    return error instanceof Error ? complaint(`error when ${verb} ${JSON.stringify(source)}: ${error.message}`) : error;
  if (error.status.reason === 'Invalid') return error;
  const message = `error when ${verb} ${JSON.stringify(source)}: ${error.status.message ?? ''}`;
  return new StatusError({ ...error.status, message });
}
