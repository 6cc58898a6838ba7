/**
 * Service accounts: every active namespace has the account `default`.
 *
 * Watches namespaces and service accounts.
 */
import { nameOf, namespaceOf, namespaces, serviceAccounts, type Namespace } from '../client/index.ts';
import { isReason } from '../schema/index.ts';
import { isNamespaceTerminating, wakeOn, wakingBy, type Controller, type ControllerContext } from './runtime/index.ts';

const MANAGED = ['default'];

/** The accounts that a namespace lacks. */
export function planAccounts(namespace: Namespace, has: (name: string) => boolean): readonly string[] {
  return namespace.status.phase === 'Active' ? MANAGED.filter((name) => !has(name)) : [];
}

async function create(context: ControllerContext, namespace: string, name: string): Promise<void> {
  try {
    await context.client.of(serviceAccounts).create({ metadata: { name, namespace } });
  } catch (problem) {
    if (!isReason(problem, 'AlreadyExists') && !isReason(problem, 'NotFound') && !isNamespaceTerminating(problem))
      throw problem;
  }
}

export const serviceAccountController: Controller = {
  name: 'serviceaccount',
  account: 'service-account-controller',
  start(context) {
    const spaces = context.informers.of(namespaces);
    const accounts = context.informers.of(serviceAccounts);
    const loop = context.loop({
      reconcile: async (key, run) => {
        const namespace = spaces.get(key);
        if (!namespace) return;
        const missing = planAccounts(namespace, (name) => accounts.get(`${key}/${name}`) !== undefined);
        run.plan(missing.map((name) => ({ create: `${key}/${name}` })));
        for (const name of missing) await create(context, key, name);
      },
    });
    wakeOn(loop, spaces);
    accounts.on({
      deleted: (account) => {
        if (MANAGED.includes(nameOf(account))) loop.add(namespaceOf(account), () => wakingBy(account, 'deleted'));
      },
    });
  },
};
