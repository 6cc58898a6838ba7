import { useEffect, useState } from 'preact/compat';
import type { Client } from '../../../client/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { Badge, Section } from '../../parts/index.ts';
import { useObserver } from '../../stores/clients.ts';
import { useResources, type ObjectRef, type Resource } from '../../stores/resources.ts';
import { KindLink, ObjectLink } from './ObjectLink.tsx';
import styles from './LinksTab.module.css';

interface Dependant extends ObjectRef {
  readonly controlled: boolean;
  readonly blocks: boolean;
}

/** Who owns the object, and whom it owns: what deleting it means. */
export function LinksTab({ target, object }: { readonly target: ObjectRef; readonly object: ApiObject }) {
  const owners = object.metadata.ownerReferences ?? [];
  const dependants = useDependants(target, object.metadata.uid ?? '', object.metadata.resourceVersion ?? '');
  return (
    <>
      <Section title="Owners">
        {owners.length === 0 && <p className={styles.none}>Nobody owns it: it stays until someone deletes it.</p>}
        <ul className={styles.list}>
          {owners.map((owner) => (
            <li key={owner.uid} className={styles.row}>
              <KindLink
                full
                apiVersion={owner.apiVersion}
                kind={owner.kind}
                namespace={object.metadata.namespace}
                name={owner.name}
              />
              {owner.controller && <Badge>controller</Badge>}
              {owner.blockOwnerDeletion && <Badge>blocks its deletion</Badge>}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Dependants">
        {dependants?.length === 0 && <p className={styles.none}>It owns nothing: deleting it deletes nothing else.</p>}
        <ul className={styles.list}>
          {dependants?.map((each) => (
            <li key={`${each.resource.resource}/${each.namespace}/${each.name}`} className={styles.row}>
              <span className={styles.kind}>{each.resource.kind}</span>
              <ObjectLink {...each} />
              {each.blocks && <Badge>blocks deletion</Badge>}
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

/** All objects whose owner references hold `uid`; looked for among every listable resource. */
async function findDependants(
  client: Client,
  resources: readonly Resource[],
  namespace: string,
  uid: string,
): Promise<Dependant[]> {
  const searched = resources.filter(
    (resource) => resource.verbs.includes('list') && (namespace === '' || resource.namespaced),
  );
  const found = await Promise.all(
    searched.map(async (resource) => {
      try {
        const list = await client.metadataOf(resource).list(namespace ? { namespace } : {});
        return list.items.flatMap((item) => dependantOf(resource, item, uid));
      } catch {
        // What may not be listed can't be shown; the others still can.
        return [];
      }
    }),
  );
  return found.flat();
}

function dependantOf(resource: Resource, { metadata }: ApiObject, uid: string): Dependant[] {
  const reference = metadata.ownerReferences?.find((owner) => owner.uid === uid);
  if (!reference) return [];
  const controlled = reference.controller === true;
  const blocks = reference.blockOwnerDeletion === true;
  return [{ resource, namespace: metadata.namespace ?? '', name: metadata.name ?? '', controlled, blocks }];
}

function useDependants({ namespace }: ObjectRef, uid: string, revision: string): readonly Dependant[] | undefined {
  const client = useObserver();
  const resources = useResources((state) => state.resources);
  const [dependants, setDependants] = useState<readonly Dependant[]>();
  useEffect(() => {
    let gone = false;
    void findDependants(client, resources, namespace, uid).then((found) => {
      if (!gone) setDependants(found);
    });
    return () => {
      gone = true;
    };
    // A new revision of the owner is when its dependants are likely to have changed.
  }, [client, resources, namespace, uid, revision]);
  return dependants;
}
