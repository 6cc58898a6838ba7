/**
 * The config map `cluster-info` has a detached signature of its `kubeconfig` for every bootstrap token that may sign,
 * and no others.
 *
 * Watches config maps and secrets.
 */
import { configMaps, keyOf, secrets } from '../../client/index.ts';
import { encodeText, inOneTurn, toBase64Url, getOwn } from '../../std/index.ts';
import { wakeOn } from '../runtime/index.ts';
import type { ControllerContext, Run } from '../runtime/index.ts';
import { expiryOf, isBootstrapToken, signingToken } from './tokens.ts';

const NAME = 'cluster-info';
const CONTENT = 'kubeconfig';
const SIGNATURE = 'jws-kubeconfig-';

/** A JWS with HS256 and an omitted payload: the verifier inserts the content between the two dots. */
export async function detachedSignature(
  content: string,
  token: { readonly id: string; readonly secret: string },
): Promise<string> {
  const header = toBase64Url(encodeText(JSON.stringify({ alg: 'HS256', kid: token.id })));
  const payload = toBase64Url(encodeText(content));
  const key = await crypto.subtle.importKey('raw', encodeText(token.secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const signature = await inOneTurn(() => crypto.subtle.sign('HMAC', key, encodeText(`${header}.${payload}`)));
  return `${header}..${toBase64Url(new Uint8Array(signature))}`;
}

/** The desired data of the config map; undefined if there is nothing to sign. */
export async function planSignatures(
  data: Readonly<Record<string, string>>,
  tokens: readonly { readonly id: string; readonly secret: string }[],
): Promise<Record<string, string> | undefined> {
  const content = data[CONTENT];
  if (content === undefined) return undefined;
  const kept = Object.entries(data).filter(([key]) => !key.startsWith(SIGNATURE));
  const signed = await Promise.all(
    tokens.map(async (token) => [SIGNATURE + token.id, await detachedSignature(content, token)] as const),
  );
  return Object.fromEntries([...kept, ...signed]);
}

async function sign(context: ControllerContext, run: Run): Promise<number | void> {
  const { names, clock } = context;
  const map = context.informers.of(configMaps).get(`${names.publicNamespace}/${NAME}`);
  if (!map) return;
  const candidates = context.informers
    .of(secrets)
    .by('namespace', names.systemNamespace)
    .filter((secret) => isBootstrapToken(secret, names));
  const tokens = candidates.flatMap((secret) => signingToken(secret, names, clock.now()) ?? []);
  const data = await planSignatures(map.data ?? {}, tokens);
  if (data && !sameData(data, map.data ?? {})) {
    run.plan([{ sign: NAME, tokens: tokens.map((token) => token.id) }]);
    await context.client.of(configMaps).update({ ...map, data });
  }
  // An expired token loses its signature.
  const next = Math.min(...candidates.map(expiryOf).filter((at) => at > clock.now()));
  return next === Infinity ? undefined : next - clock.now();
}

function sameData(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => getOwn(a, key) === getOwn(b, key));
}

export function startBootstrapSigner(context: ControllerContext): void {
  const loop = context.loop({ reconcile: (_key, run) => sign(context, run) });
  const key = `${context.names.publicNamespace}/${NAME}`;
  wakeOn(loop, context.informers.of(configMaps), (map) => (keyOf(map) === key ? [NAME] : []));
  wakeOn(loop, context.informers.of(secrets), (secret) => (isBootstrapToken(secret, context.names) ? [NAME] : []));
}
