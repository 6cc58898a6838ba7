/** `auth reconcile`: roles and bindings that grant at least what files say. */
import { namespaces, type Client } from '../../client/index.ts';
import { StatusError, type ApiObject, type objects } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import { command, type Call } from '../command/command.ts';
import { dryRunFlag, dryRunNote, dryRunOf } from '../command/dryRun.ts';
import { forEach } from '../command/each.ts';
import { complaint } from '../command/errors.ts';
import { toggle } from '../command/flags.ts';
import { missingRules, ruleText } from '../output/ruleCover.ts';
import { resultFlags, resultPrinter } from '../output/result.ts';
import { fileFlags, readManifests, type Manifest } from '../server/manifests.ts';

const flags = {
  ...fileFlags,
  'dry-run': dryRunFlag,
  ...resultFlags,
  'remove-extra-permissions': toggle(),
  'remove-extra-subjects': toggle(),
};

type ReconcileCall = Call<typeof flags>;

interface Granting extends ApiObject {
  readonly rules?: readonly objects.PolicyRule[] | null;
  readonly roleRef?: objects.RoleRef;
  readonly subjects?: readonly objects.Subject[] | null;
}

/** What to do, the object afterwards, and notes on what is added and removed. */
interface Plan {
  readonly did: 'none' | 'create' | 'update' | 'recreate';
  readonly object: Granting;
  readonly notes: readonly string[];
}

export const reconcile = command({
  name: 'reconcile',
  flags,
  run: async (call) => {
    const dryRun = dryRunOf(call.flags['dry-run']);
    if (dryRun === 'server') throw complaint('--dry-run=server for command reconcile is not supported yet');
    const printer = await resultPrinter(call.session, call.flags);
    await forEach(await readManifests(call, false), async (manifest) => {
      const { kind, group } = manifest.resource;
      if (!group.startsWith('rbac.') || !/^(Cluster)?Role(Binding)?$/.test(kind)) return;
      const plan = await planOf(call, manifest);
      const object = dryRun === 'client' ? plan.object : await perform(call, manifest, plan);
      printer.print({ resource: manifest.resource, object }, `reconciled${dryRunNote(dryRun)}`);
      if (plan.did === 'none') return;
      call.session.err([`reconciliation required ${plan.did}`, ...plan.notes].map((line) => `\t${line}\n`).join(''));
    });
  },
});

async function planOf(call: ReconcileCall, { resource, namespace, object }: Manifest): Promise<Plan> {
  const wanted: Granting = object;
  const live = await call.client
    .of<Granting>(resource)
    .get(object.metadata.name ?? '', namespace)
    .catch((error: unknown) => {
      if (error instanceof StatusError && error.status.code === 404) return undefined;
      throw error;
    });
  const isBinding = resource.kind.endsWith('Binding');
  if (!live) {
    const notes = isBinding
      ? subjectNotes('missing subjects added', wanted.subjects ?? [])
      : ruleNotes('missing rules added', wanted.rules ?? []);
    return { did: 'create', object: wanted, notes };
  }
  const withLabels = { ...live, metadata: joinedMetadata(live, wanted) };
  const plan = isBinding ? bindingPlan(call, withLabels, wanted) : rolePlan(call, withLabels, wanted);
  return plan.did === 'none' && !deepEqual(withLabels.metadata, live.metadata) ? { ...plan, did: 'update' } : plan;
}

/** Labels and annotations of both. */
function joinedMetadata(live: Granting, wanted: Granting): Granting['metadata'] {
  const { labels, annotations } = wanted.metadata;
  return {
    ...live.metadata,
    ...(labels && { labels: { ...live.metadata.labels, ...labels } }),
    ...(annotations && { annotations: { ...live.metadata.annotations, ...annotations } }),
  };
}

function rolePlan({ flags: given }: ReconcileCall, live: Granting, wanted: Granting): Plan {
  const [before, after] = [live.rules ?? [], wanted.rules ?? []];
  const missing = missingRules(before, after);
  const extra = given['remove-extra-permissions'] ? missingRules(after, before) : [];
  if (missing.length + extra.length === 0) return { did: 'none', object: live, notes: [] };
  const rules = given['remove-extra-permissions'] ? after : [...before, ...missing];
  const notes = [...ruleNotes('missing rules added', missing), ...ruleNotes('extra rules removed', extra)];
  return { did: 'update', object: { ...live, rules }, notes };
}

function bindingPlan({ flags: given }: ReconcileCall, live: Granting, wanted: Granting): Plan {
  if (!deepEqual(live.roleRef, wanted.roleRef)) return { did: 'recreate', object: wanted, notes: [] };
  const [before, after] = [live.subjects ?? [], wanted.subjects ?? []];
  const without = (all: readonly objects.Subject[], others: readonly objects.Subject[]): readonly objects.Subject[] =>
    all.filter((each) => !others.some((other) => deepEqual(each, other)));
  const missing = without(after, before);
  const extra = given['remove-extra-subjects'] ? without(before, after) : [];
  if (missing.length + extra.length === 0) return { did: 'none', object: live, notes: [] };
  const subjects = given['remove-extra-subjects'] ? after : [...before, ...missing];
  const notes = [...subjectNotes('missing subjects added', missing), ...subjectNotes('extra subjects removed', extra)];
  return { did: 'update', object: { ...live, subjects }, notes };
}

const ruleNotes = (title: string, rules: readonly objects.PolicyRule[]): readonly string[] =>
  rules.length === 0 ? [] : [`${title}:`, ...rules.map((rule) => `\t${ruleText(rule)}`)];

const subjectNotes = (title: string, subjects: readonly objects.Subject[]): readonly string[] =>
  subjects.length === 0
    ? []
    : [
        `${title}:`,
        ...subjects.map(
          ({ kind, apiGroup = '', name, namespace = '' }) =>
            `\t{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`,
        ),
      ];

async function perform({ client }: ReconcileCall, { resource, namespace }: Manifest, plan: Plan): Promise<ApiObject> {
  const of = client.of<Granting>(resource);
  if (plan.did === 'none') return plan.object;
  if (plan.did === 'update') return of.update(plan.object);
  // What a binding refers to can't be changed.
  if (plan.did === 'recreate') await of.delete({ metadata: { name: plan.object.metadata.name ?? '', namespace } });
  if (plan.did === 'create' && resource.namespaced) await ensureNamespace(client, namespace);
  return of.create(plan.object, { namespace });
}

/** Creates the namespace where there is none. Who may not see or create namespaces goes on without. */
async function ensureNamespace(client: Client, name: string): Promise<void> {
  const of = client.of(namespaces);
  const goOn =
    (...codes: readonly number[]) =>
    (error: unknown): undefined => {
      if (error instanceof StatusError && codes.includes(error.status.code ?? 0)) return undefined;
      throw error;
    };
  if (await of.get(name).catch(goOn(404, 403))) return;
  await of.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }).catch(goOn(409, 403));
}
