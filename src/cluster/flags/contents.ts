/**
 * Validates the contents of files that flags name. An invalid file stops the start with a message that names flag and
 * file.
 */
import { configurationFile } from '../../admission/index.ts';
import { parsePolicy } from '../../audit/index.ts';
import {
  decodePem,
  readCertificate,
  readEndpoint,
  readSigningKey,
  readVerifyKeys,
  tokenFile,
} from '../../authn/index.ts';
import { optionalModules } from '../../authz/index.ts';
import { loadYaml, getOwn } from '../../std/index.ts';
import { PKI, type Files } from '../pki.ts';
import { components, type ComponentKey } from './declarations/index.ts';
import { refuseProblems, type ComponentProblem, type FlagReading, type FlagSurroundings } from './read.ts';

/** Parses a file as the component will, and throws if it is invalid. */
type Read = (text: string, surroundings: FlagSurroundings, path: string) => unknown;

/** At least one PEM certificate. */
async function certificates(text: string): Promise<void> {
  const blocks = text.includes('-----BEGIN CERTIFICATE-----') ? decodePem(text) : [];
  const found = blocks.filter(({ type }) => type === 'CERTIFICATE');
  if (found.length === 0) throw new Error('data does not contain any valid RSA or ECDSA certificates');
  for (const { der } of found)
    await readCertificate(der).catch(() => Promise.reject(new Error('failed to parse certificate')));
}

/** The cluster's own files, which are created at the start; a configuration may name them before. */
const ownFiles: Files = Object.fromEntries(Object.values<string>(PKI).map((path) => [path, '']));

/** A client configuration with the address of a webhook. */
const endpoint: Read = async (text, { files }) => {
  await loadYaml();
  return readEndpoint(text, { ...ownFiles, ...files });
};

const signingKey: Read = (text) => readSigningKey(text);

const contents: Readonly<Record<ComponentKey, Readonly<Record<string, Read>>>> = {
  apiserver: {
    'token-auth-file': tokenFile,
    'client-ca-file': certificates,
    'requestheader-client-ca-file': certificates,
    'oidc-ca-file': certificates,
    'service-account-key-file': readVerifyKeys,
    'service-account-signing-key-file': signingKey,
    'authorization-policy-file': async (text, { names }) =>
      (await optionalModules.load()).parseAbacPolicies(text, names),
    'authorization-webhook-config-file': endpoint,
    'authentication-token-webhook-config-file': endpoint,
    'audit-webhook-config-file': endpoint,
    'audit-policy-file': async (text, { names }) => {
      await loadYaml();
      return parsePolicy(text, names);
    },
    'admission-control-config-file': async (_, { names, files }, path) => {
      await loadYaml();
      return (await configurationFile.load()).readConfiguration(path, files, names);
    },
  },
  controllerManager: {
    'root-ca-file': certificates,
    'service-account-private-key-file': signingKey,
    'cluster-signing-cert-file': certificates,
    'cluster-signing-key-file': signingKey,
    'cluster-signing-{prefix}-apiserver-client-cert-file': certificates,
    'cluster-signing-{prefix}-apiserver-client-key-file': signingKey,
    'cluster-signing-{agent}-client-cert-file': certificates,
    'cluster-signing-{agent}-client-key-file': signingKey,
    'cluster-signing-{agent}-serving-cert-file': certificates,
    'cluster-signing-{agent}-serving-key-file': signingKey,
    'cluster-signing-legacy-unknown-cert-file': certificates,
    'cluster-signing-legacy-unknown-key-file': signingKey,
  },
  // A rule validates the scheduler's only file, including its plugins.
  scheduler: {},
};

/** All errors in a component's files; missing files are reported elsewhere. */
export async function problemsWithContents(
  component: ComponentKey,
  { flags }: Pick<FlagReading, 'flags'>,
  surroundings: FlagSurroundings,
): Promise<ComponentProblem[]> {
  const problems: ComponentProblem[] = [];
  for (const [template, read] of Object.entries(contents[component])) {
    const flag = surroundings.names.fill(template);
    for (const path of flags.has(flag) ? flags.list(flag) : []) {
      const why = await reasonAgainst(read, path, surroundings);
      if (why !== undefined) problems.push({ component, flag, message: `--${flag}: ${JSON.stringify(path)}: ${why}` });
    }
  }
  return problems;
}

/** For a start: throws FlagError if a component has an invalid file. */
export async function checkContents(
  readings: Readonly<Record<ComponentKey, FlagReading>>,
  surroundings: FlagSurroundings,
): Promise<void> {
  const problems = components.map(({ key }) => problemsWithContents(key, readings[key], surroundings));
  refuseProblems((await Promise.all(problems)).flat());
}

async function reasonAgainst(read: Read, path: string, surroundings: FlagSurroundings): Promise<string | undefined> {
  const text = getOwn(surroundings.files as Partial<Files>, path);
  if (text === undefined) return undefined;
  try {
    await read(text, surroundings, path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
