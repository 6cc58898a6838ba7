/**
 * ServiceAccount: sets a pod's service account, which has to exist, and mounts its token (specification, Service
 * account automation).
 */
import { status, type objects, type StatusError } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { podReferences } from './podReferences.ts';
import { containersOf, isMirrorPod, isPod, podOf, type PodSpec } from './pods.ts';
import { refuse } from './refuse.ts';

type Account = objects.ServiceAccount;

const ACCOUNTS = { group: '', resource: 'serviceaccounts' } as const;
const DEFAULT_ACCOUNT = 'default';
const DEFAULT_ACCOUNT_LOOKS = 10;
const MOUNT_PATH = '/var/run/secrets/{label}/serviceaccount';

export const serviceAccount: PluginDeclaration = {
  name: 'ServiceAccount',
  on: true,
  create: (deps) => ({
    name: 'ServiceAccount',
    handles: (operation) => operation === 'CREATE',
    admit: (attributes) => (isPod(attributes) ? admit(attributes, deps) : undefined),
    validate: (attributes) => {
      if (isPod(attributes)) check(attributes, deps);
    },
  }),
};

const isMirror = (attributes: AdmissionAttributes, { names }: PluginDeps): boolean =>
  isMirrorPod(podOf(attributes), names);

/** Returns a promise only if the default account does not exist yet. */
function admit(attributes: AdmissionAttributes, deps: PluginDeps): Promise<void> | void {
  if (isMirror(attributes, deps)) return check(attributes, deps);
  const { spec } = podOf(attributes);
  if (!spec.serviceAccountName) spec.serviceAccountName = DEFAULT_ACCOUNT;
  const name = spec.serviceAccountName;
  const use = (): void => useAccount(attributes, deps, name);
  return name === DEFAULT_ACCOUNT && !deps.get(ACCOUNTS, attributes.namespace, name)
    ? untilDefaultAccount(attributes, deps).then(use)
    : use();
}

function useAccount(attributes: AdmissionAttributes, deps: PluginDeps, name: string): void {
  const { spec } = podOf(attributes);
  const account = accountOf(attributes, deps, name);
  if (wantsToken(account, spec)) mountToken(attributes, account, deps);
  if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length)
    spec.imagePullSecrets = account.imagePullSecrets.map(({ name }) => (name === undefined ? {} : { name }));
  check(attributes, deps);
}

/**
 * A controller creates a namespace's default account soon after the namespace: a few reads through the API give it
 * time.
 */
async function untilDefaultAccount({ namespace }: AdmissionAttributes, { get, transport }: PluginDeps): Promise<void> {
  for (let look = 0; look < DEFAULT_ACCOUNT_LOOKS && !get(ACCOUNTS, namespace, DEFAULT_ACCOUNT); look++) {
    const response = await transport(`/api/v1/namespaces/${namespace}/serviceaccounts/${DEFAULT_ACCOUNT}`);
    await response.text();
  }
}

function accountOf(attributes: AdmissionAttributes, deps: PluginDeps, name: string): Account {
  const account = deps.get(ACCOUNTS, attributes.namespace, name);
  if (!account)
    throw refuse(
      attributes,
      `error looking up service account ${attributes.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
    );
  return account as Account;
}

/** The pod's setting precedes the account's. */
const wantsToken = (account: Account, spec: PodSpec): boolean =>
  spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;

function mountToken(attributes: AdmissionAttributes, account: Account, deps: PluginDeps): void {
  const { spec } = podOf(attributes);
  const path = deps.names.fill(MOUNT_PATH);
  const waiting = containersOf(spec).filter((c) => !c.volumeMounts?.some((m) => m.mountPath === path));
  if (deps.gate('BoundServiceAccountTokenVolume')) mountProjected(spec, waiting, path, deps);
  else mountSecret(attributes, account, waiting, path, deps);
}

/** The account's secret as a volume of the same name. */
function mountSecret(
  attributes: AdmissionAttributes,
  account: Account,
  waiting: readonly objects.Container[],
  path: string,
  deps: PluginDeps,
): void {
  const { spec } = podOf(attributes);
  const secret = tokenSecret(account, attributes.namespace, deps);
  if (secret === undefined) throw noTokenYet(account);
  const known = spec.volumes?.find((v) => v.secret?.secretName === secret)?.name;
  const volume = known ?? freeName(spec, secret, deps);
  if (waiting.length === 0) return;
  for (const container of waiting)
    container.volumeMounts = [...(container.volumeMounts ?? []), { name: volume, readOnly: true, mountPath: path }];
  if (known === undefined)
    spec.volumes = [...(spec.volumes ?? []), { name: volume, secret: { secretName: secret, defaultMode: 0o644 } }];
}

const freeName = (spec: PodSpec, wanted: string, { random }: PluginDeps): string =>
  spec.volumes?.some((v) => v.name === wanted) ? `${wanted}-${random.suffix(5)}` : wanted;

/** A controller creates the token soon: the client may retry. */
const noTokenYet = (account: Account): StatusError =>
  status.failure(
    500,
    'ServerTimeout',
    `No API token found for service account ${JSON.stringify(account.metadata?.name)}, retry after the token is automatically created and added to the service account`,
    { name: 'create pod', kind: 'serviceaccounts', retryAfterSeconds: 1 },
  );

/** The first secret of the account that contains a token for it. */
function tokenSecret(account: Account, namespace: string, { get, names }: PluginDeps): string | undefined {
  const type = names.fill('{label}/service-account-token');
  for (const { name = '' } of account.secrets ?? []) {
    const secret = get({ group: '', resource: 'secrets' }, namespace, name) as objects.Secret | undefined;
    if (secret?.type !== type) continue;
    const annotations = secret.metadata?.annotations ?? {};
    if (
      annotations[names.fill('{label}/service-account.name')] === account.metadata?.name &&
      annotations[names.fill('{label}/service-account.uid')] === account.metadata?.uid
    )
      return name;
  }
  return undefined;
}

const EXPIRATION_SECONDS = 3607;

/** A separate token for each pod, requested by its node, in one volume with the CA certificate and the namespace. */
function mountProjected(
  spec: PodSpec,
  waiting: readonly objects.Container[],
  path: string,
  { names, random }: PluginDeps,
): void {
  if (waiting.length === 0) return;
  const prefix = names.fill('{prefix}-api-access-');
  const known = spec.volumes?.find((v) => v.name.startsWith(prefix))?.name;
  const name = known ?? `${prefix}${random.suffix(5)}`;
  for (const container of waiting)
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath: path }];
  if (known !== undefined) return;
  const sources: objects.VolumeProjection[] = [
    { serviceAccountToken: { path: 'token', expirationSeconds: EXPIRATION_SECONDS } },
    { configMap: { name: names.fill('{prefix}-root-ca.crt'), items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ];
  spec.volumes = [...(spec.volumes ?? []), { name, projected: { sources, defaultMode: 0o644 } }];
}

/** Words that mean yes. */
const TRUE = /^(1|t|T|TRUE|true|True)$/;

/** Mirror pods have no account; accounts with enforcement let their pods mount only listed secrets. */
function check(attributes: AdmissionAttributes, deps: PluginDeps): void {
  const { spec } = podOf(attributes);
  if (isMirror(attributes, deps)) return checkMirror(attributes, spec);
  const account = accountOf(attributes, deps, spec.serviceAccountName ?? 'default');
  const enforces = account.metadata?.annotations?.[deps.names.fill('{label}/enforce-mountable-secrets')] ?? '';
  if (TRUE.test(enforces)) checkMountable(attributes, account, spec);
}

function checkMirror(attributes: AdmissionAttributes, spec: PodSpec): void {
  if (spec.serviceAccountName) throw refuse(attributes, 'a mirror pod may not reference service accounts');
  if (podReferences(spec).secrets.size > 0) throw refuse(attributes, 'a mirror pod may not reference secrets');
  if (spec.volumes?.some((v) => v.projected?.sources?.some((s) => s.serviceAccountToken)))
    throw refuse(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
}

function checkMountable(attributes: AdmissionAttributes, account: Account, spec: PodSpec): void {
  const mountable = new Set(account.secrets?.map((s) => s.name));
  const pullable = new Set(account.imagePullSecrets?.map((s) => s.name));
  const who = `is not permitted, referencing secret: service account ${account.metadata?.name ?? ''} does not allow it`;
  for (const volume of spec.volumes ?? [])
    if (volume.secret && !mountable.has(volume.secret.secretName))
      throw refuse(attributes, `volume with secret.secretName=${JSON.stringify(volume.secret.secretName)} ${who}`);
  for (const container of containersOf(spec)) {
    for (const { valueFrom } of container.env ?? [])
      if (valueFrom?.secretKeyRef && !mountable.has(valueFrom.secretKeyRef.name))
        throw refuse(
          attributes,
          `container ${container.name} with secret ${JSON.stringify(valueFrom.secretKeyRef.name)} ${who}`,
        );
  }
  for (const { name } of spec.imagePullSecrets ?? [])
    if (!pullable.has(name)) throw refuse(attributes, `imagePullSecret ${JSON.stringify(name)} ${who}`);
}
