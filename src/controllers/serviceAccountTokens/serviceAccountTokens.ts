/**
 * Service account tokens: every account lists a secret with its token. A secret that refers to an account gets a token.
 * Secrets of deleted accounts are deleted, and references to deleted secrets are removed.
 *
 * Watches service accounts and secrets.
 */
import { identityOf, keyOf, nameOf, namespaceOf, secrets, serviceAccounts, uidOf } from '../../client/index.ts';
import type { Draft, Informer, Secret, ServiceAccount } from '../../client/index.ts';
import { found, isReason } from '../../schema/index.ts';
import { isConflict, isNamespaceTerminating } from '../runtime/index.ts';
import type { Controller, ControllerContext, Loop } from '../runtime/index.ts';
import { accountOf, belongsTo, completed, isTokenOf, isTokenSecret, listed, tokenNames } from './plan.ts';
import type { TokenNames } from './plan.ts';

type MakeToken = NonNullable<ControllerContext['issuance']['accountToken']>;

class ServiceAccountTokens {
  readonly #context: ControllerContext;
  readonly #makeToken: MakeToken;
  readonly #names: TokenNames;
  readonly #accounts: Informer<ServiceAccount>;
  readonly #secrets: Informer<Secret>;

  constructor(context: ControllerContext, makeToken: MakeToken) {
    this.#context = context;
    this.#makeToken = makeToken;
    this.#names = tokenNames(context.names);
    this.#accounts = context.informers.of(serviceAccounts);
    this.#secrets = context.informers.of(secrets);
  }

  start(workers: number): void {
    const accounts = this.#context.loop({ workers, reconcile: (key) => this.#ensureToken(key) });
    const tokens = this.#context.loop({ workers, reconcile: (key) => this.#ensureFilled(key) });
    const mentions = this.#context.loop({ workers, reconcile: (key) => this.#dropMention(key) });
    this.#watchAccounts(accounts, tokens);
    this.#watchSecrets(tokens, mentions);
  }

  #watchAccounts(accounts: Loop, tokens: Loop): void {
    this.#accounts.on({
      added: (account) => accounts.add(keyOf(account)),
      changed: (account) => accounts.add(keyOf(account)),
      deleted: (account) => {
        for (const secret of this.#tokensIn(namespaceOf(account))) {
          if (accountOf(secret, this.#names).name === account.metadata.name) tokens.add(keyOf(secret));
        }
      },
    });
  }

  #watchSecrets(tokens: Loop, mentions: Loop): void {
    const wake = (secret: Secret): void => {
      if (isTokenSecret(secret, this.#names)) tokens.add(keyOf(secret));
    };
    this.#secrets.on({
      added: wake,
      changed: wake,
      deleted: (secret) => {
        if (!isTokenSecret(secret, this.#names)) return;
        const { name, uid } = accountOf(secret, this.#names);
        mentions.add([secret.metadata.namespace, name, uid, secret.metadata.name].join('/'));
      },
    });
  }

  /** Creates an account's token; deleted accounts are handled through their secrets. */
  async #ensureToken(key: string): Promise<void> {
    const account = this.#accounts.get(key);
    if (!account || (await this.#hasToken(account))) return;
    const live = await this.#liveAccount(namespaceOf(account), nameOf(account));
    // The watch will deliver a newer account; a decision based on an old one could create an extra token.
    if (live?.metadata.resourceVersion !== account.metadata.resourceVersion) return;
    const secret = await this.#createSecret(account);
    if (secret && !(await this.#mention(account, secret))) await this.#delete(secret);
  }

  /**
   * Whether one of the listed secrets is the account's token; secrets that are not in the cache yet are read from the
   * server.
   */
  async #hasToken(account: ServiceAccount): Promise<boolean> {
    const namespace = namespaceOf(account);
    const unseen: string[] = [];
    for (const name of listed(account)) {
      const secret = this.#secrets.get(`${namespace}/${name}`);
      if (isTokenOf(secret, account, this.#names)) return true;
      if (!secret) unseen.push(name);
    }
    for (const name of unseen)
      if (isTokenOf(await this.#liveSecret(namespace, name), account, this.#names)) return true;
    return false;
  }

  async #createSecret(account: ServiceAccount): Promise<Secret | undefined> {
    const names = this.#names;
    const { namespace, name, uid } = identityOf(account);
    const secretName = `${name}-token-${this.#context.random.suffix(5)}`;
    const empty = {
      metadata: { name: secretName, namespace, annotations: { [names.account]: name, [names.uid]: uid } },
      type: names.type,
      data: {},
    };
    const full = await this.#complete(empty as Secret, account);
    try {
      return await this.#context.client.of(secrets).create(full as Draft<Secret>);
    } catch (problem) {
      if (isNamespaceTerminating(problem) || isReason(problem, 'NotFound')) return undefined;
      throw problem;
    }
  }

  #complete(secret: Secret, account: ServiceAccount): Promise<Secret | undefined> {
    const { namespace, name, uid } = identityOf(account);
    const makeToken = (): Promise<string> => this.#makeToken({ namespace, name, uid }, nameOf(secret));
    return completed(secret, account, this.#names, this.#context.issuance.rootCA, makeToken);
  }

  /** Adds the secret to its account's list; returns false if the account no longer needs it. */
  async #mention(account: ServiceAccount, secret: Secret): Promise<boolean> {
    for (;;) {
      const live = await this.#liveAccount(namespaceOf(account), nameOf(account));
      if (!live || live.metadata.uid !== account.metadata.uid || (await this.#hasToken(live))) return false;
      try {
        const mentioned = [...(live.secrets ?? []), { name: nameOf(secret) }];
        await this.#context.client.of(serviceAccounts).update({ ...live, secrets: mentioned });
        return true;
      } catch (problem) {
        if (isReason(problem, 'NotFound')) return false;
        if (!isConflict(problem)) throw problem;
      }
    }
  }

  /** Completes a token secret, or deletes it if its account does not exist. */
  async #ensureFilled(key: string): Promise<void> {
    const secret = this.#secrets.get(key);
    if (!secret || !isTokenSecret(secret, this.#names)) return;
    const account = await this.#ownerOf(secret);
    if (!account) return this.#delete(secret);
    if (!(await this.#complete(secret, account))) return;
    const live = await this.#liveSecret(namespaceOf(secret), nameOf(secret));
    if (!live || live.metadata.resourceVersion !== secret.metadata.resourceVersion) return;
    const full = await this.#complete(live, account);
    if (full) await this.#context.client.of(secrets).update(full);
  }

  /** The account of a secret; read from the server before it counts as missing. */
  async #ownerOf(secret: Secret): Promise<ServiceAccount | undefined> {
    const namespace = namespaceOf(secret);
    const { name } = accountOf(secret, this.#names);
    const cached = this.#accounts.get(`${namespace}/${name}`);
    if (belongsTo(secret, cached, this.#names)) return cached;
    const live = name === '' ? undefined : await this.#liveAccount(namespace, name);
    return belongsTo(secret, live, this.#names) ? live : undefined;
  }

  /** Removes a deleted secret from its account's list. */
  async #dropMention(key: string): Promise<void> {
    const [namespace = '', name = '', uid = '', secretName = ''] = key.split('/');
    for (;;) {
      const account = name === '' ? undefined : await this.#liveAccount(namespace, name);
      const concerns = account && (uid === '' || uid === account.metadata.uid) && listed(account).includes(secretName);
      if (!concerns || (await this.#liveSecret(namespace, secretName))) return;
      try {
        const rest = (account.secrets ?? []).filter((secret) => secret.name !== secretName);
        await this.#context.client.of(serviceAccounts).update({ ...account, secrets: rest });
        return;
      } catch (problem) {
        if (isReason(problem, 'NotFound')) return;
        if (!isConflict(problem)) throw problem;
      }
    }
  }

  async #delete(secret: Secret): Promise<void> {
    try {
      await this.#context.client.of(secrets).delete(secret, { preconditions: { uid: uidOf(secret) } });
    } catch (problem) {
      if (!isReason(problem, 'NotFound') && !isConflict(problem)) throw problem;
    }
  }

  #liveAccount(namespace: string, name: string): Promise<ServiceAccount | undefined> {
    return found(this.#context.client.of(serviceAccounts).get(name, namespace));
  }

  #liveSecret(namespace: string, name: string): Promise<Secret | undefined> {
    return found(this.#context.client.of(secrets).get(name, namespace));
  }

  #tokensIn(namespace: string): readonly Secret[] {
    return this.#secrets.by('namespace', namespace).filter((secret) => isTokenSecret(secret, this.#names));
  }
}

export const serviceAccountTokens: Controller = {
  name: 'serviceaccount-token',
  start(context) {
    const { accountToken } = context.issuance;
    if (!accountToken) return;
    new ServiceAccountTokens(context, accountToken).start(
      context.flags.number('concurrent-serviceaccount-token-syncs'),
    );
  },
};
