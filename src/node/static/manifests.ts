/** Static pod manifests: files with the pods that a node's agent runs by itself. */
import type { Node, Pod } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { decodeText, encodeText, getOwn, isObject, md5, toHex, yaml } from '../../std/index.ts';
import type { DirectoryNode } from '../../programs/index.ts';

/** The file for the node's annotation. */
export const ANNOTATED_FILE = 'from-annotation.yaml';

/** The directory of a node's manifests. */
export const manifestsDirectory = (names: Names): string => `/etc/${names.product}/manifests`;

/** The annotations that identify a static pod and its mirror. */
export const configKeys = (
  names: Names,
): { readonly mirror: string; readonly source: string; readonly hash: string; readonly seen: string } => ({
  mirror: names.fill('{label}/config.mirror'),
  source: names.fill('{label}/config.source'),
  hash: names.fill('{label}/config.hash'),
  seen: names.fill('{label}/config.seen'),
});

/** A pod from a manifest. */
export interface StaticPod {
  readonly pod: Pod;
  /** Namespace and name. */
  readonly key: string;
  /** Changes with the manifest; it is also the pod's uid. */
  readonly hash: string;
}

export interface Manifests {
  readonly pods: readonly StaticPod[];
  /** Unreadable documents, with their file. */
  readonly problems: readonly string[];
}

/** The context for reading a node's manifests. */
export interface Reading {
  readonly node: Node;
  readonly names: Names;
  /** The time of reading, RFC 3339. */
  readonly seen: string;
  /** Decodes a user-written pod with the defaults of its version. Throws for wrong types. */
  readonly readPod: (raw: unknown) => Pod;
}

/** Reads all files of the directory, sorted by name; hidden ones are skipped. YAML has to be loaded. */
export function readManifests(directory: DirectoryNode, reading: Reading): Manifests {
  const pods = new Map<string, StaticPod>();
  const problems: string[] = [];
  for (const [file, entry] of [...directory.entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (file.startsWith('.') || entry.type !== 'file') continue;
    const path = `${manifestsDirectory(reading.names)}/${file}`;
    const { values, problem } = documentsOf(entry.content);
    if (problem !== undefined) problems.push(`${path}: ${problem}`);
    for (const value of values) {
      const made = podOf(value, path, reading);
      if (typeof made === 'string') problems.push(`${path}: ${made}`);
      else pods.set(made.key, made);
    }
  }
  return { pods: [...pods.values()], problems };
}

interface Documents {
  readonly values: readonly unknown[];
  readonly problem?: string;
}

/** The documents of a file. An unreadable file (too many aliases, say) does not affect other files. */
function documentsOf(content: Uint8Array): Documents {
  try {
    return parsed(decodeText(content));
  } catch (problem) {
    return { values: [], problem: problem instanceof Error ? problem.message : String(problem) };
  }
}

/** The documents of a text; a list yields its items. */
function parsed(text: string): Documents {
  const documents = yaml().parseAllDocuments(text, { maxAliasCount: 100 } as object);
  const list = Array.isArray(documents) ? documents : [];
  const broken = list.find(({ errors }) => errors.length > 0);
  if (broken) return { values: [], problem: broken.errors[0]?.message.split('\n')[0] ?? 'it is not YAML' };
  const values = list
    .map((document): unknown => document.toJS({ maxAliasCount: 100 }))
    .filter((value) => value !== null);
  return {
    values: values.flatMap((value) =>
      isObject(value) && Array.isArray(value['items']) ? (value['items'] as unknown[]) : [value],
    ),
  };
}

/** The pod of a manifest, or the error. */
function podOf(value: unknown, path: string, reading: Reading): StaticPod | string {
  const wrong = problemOf(value);
  if (wrong !== undefined) return wrong;
  try {
    return staticPod(value, reading.readPod(value), path, reading);
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem);
  }
}

/** Why a value is not a runnable pod; the API server validates the rest. */
function problemOf(value: unknown): string | undefined {
  if (!isObject(value) || value['kind'] !== 'Pod' || value['apiVersion'] !== 'v1')
    return 'it is not a pod (apiVersion v1, kind Pod)';
  const { metadata, spec } = value;
  const name = isObject(metadata) ? getOwn(metadata, 'name') : undefined;
  if (typeof name !== 'string' || name === '') return 'metadata.name is required';
  const containers = isObject(spec) ? getOwn(spec, 'containers') : undefined;
  if (!Array.isArray(containers) || containers.length === 0) return 'spec.containers is required';
  return undefined;
}

/**
 * The pod that a node derives from a manifest: named after the node, bound to it, with a toleration for every taint.
 */
function staticPod(raw: unknown, complete: Pod, path: string, { node, names, seen }: Reading): StaticPod {
  const nodeName = node.metadata.name;
  const hash = toHex(md5(encodeText(JSON.stringify([nodeName, path, raw]))));
  const { metadata, spec } = complete;
  const namespace = metadata.namespace || 'default';
  const name = `${metadata.name}-${nodeName.toLowerCase()}`;
  const keys = configKeys(names);
  const marks = { [keys.hash]: hash, [keys.source]: 'file', [keys.seen]: seen };
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { ...metadata, name, namespace, uid: hash, annotations: { ...metadata.annotations, ...marks } },
    spec: {
      ...spec,
      nodeName,
      tolerations: [...(spec.tolerations ?? []), { operator: 'Exists', effect: 'NoExecute' }],
    },
    status: { phase: 'Pending' },
  } as Pod;
  return { pod, key: `${namespace}/${name}`, hash };
}

/** The mirror pod of a static pod, owned by the node. */
export function mirrorOf({ pod, hash }: StaticPod, node: Node, names: Names): Pod {
  const { uid: _, ...metadata } = pod.metadata;
  const owner = { apiVersion: 'v1', kind: 'Node', name: node.metadata.name, uid: node.metadata.uid ?? '' };
  const annotations = { ...metadata.annotations, [configKeys(names).mirror]: hash };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', spec: pod.spec },
    metadata: { ...metadata, annotations, ownerReferences: [{ ...owner, controller: true }] },
  } as Pod;
}

/** Whether an object on the API server is a mirror of a static pod. */
export const isMirror = ({ metadata }: Pod, names: Names): boolean =>
  getOwn(metadata.annotations, configKeys(names).mirror) !== undefined;
