import type { ApiObject } from '../../../../schema/index.ts';
import { Facts, Ident } from '../../../parts/index.ts';
import { asList, asText, asTexts, at } from '../../../stores/jsonValues.ts';
import { useLiveObjects } from '../../../stores/liveObjects.ts';
import { useResources } from '../../../stores/resources.ts';
import { partsOf } from '../../access/aggregation.ts';
import { KindLink } from '../ObjectLink.tsx';
import { UserLink } from '../UserLink.tsx';
import type { Description } from './description.ts';
import styles from './describe.module.css';

/** `deployments.apps`; of several groups `deployments.{apps,extensions}`. */
function qualified(resources: readonly string[], groups: readonly string[]): string {
  if (groups.every((group) => group === '')) return resources.join(', ');
  const named = groups.map((group) => group || 'core');
  const suffix = named.length === 1 ? named[0] : `{${named.join(',')}}`;
  return resources.map((resource) => `${resource}.${suffix}`).join(', ');
}

function Rules({ rules }: { readonly rules: readonly unknown[] }) {
  if (rules.length === 0) return <p className={styles.note}>No rules: it allows nothing.</p>;
  const named = rules.some((rule) => asTexts(at(rule, 'resourceNames')).length > 0);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Verbs</th>
          <th scope="col">Resources or paths</th>
          {named && <th scope="col">Names</th>}
        </tr>
      </thead>
      <tbody>
        {rules.map((rule, index) => (
          <tr key={index}>
            <td className={styles.verbs}>{asTexts(at(rule, 'verbs')).join(', ')}</td>
            <td>
              {qualified(asTexts(at(rule, 'resources')), asTexts(at(rule, 'apiGroups'))) ||
                asTexts(at(rule, 'nonResourceURLs')).join(', ')}
            </td>
            {named && <td>{asTexts(at(rule, 'resourceNames')).join(', ') || 'any'}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Subject({ subject }: { readonly subject: unknown }) {
  const kind = asText(at(subject, 'kind'));
  const name = asText(at(subject, 'name'));
  const namespace = asText(at(subject, 'namespace'));
  if (kind === 'ServiceAccount') return <KindLink full apiVersion="v1" kind={kind} namespace={namespace} name={name} />;
  return (
    <>
      <span className={styles.note}>{kind} </span>
      {kind === 'User' ? <UserLink name={name} /> : <Ident>{name}</Ident>}
    </>
  );
}

function Subjects({ object }: { readonly object: ApiObject }) {
  return (
    <ul className={styles.items}>
      {asList(object['subjects']).map((subject, index) => (
        <li key={index}>
          <Subject subject={subject} />
        </li>
      ))}
    </ul>
  );
}

const AGGREGATE = /\/aggregate-to-(.+)$/;

/** The roles that take this one's rules in, by its labels. */
const goesInto = ({ metadata }: ApiObject): readonly string[] =>
  Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    const into = AGGREGATE.exec(key)?.[1];
    return into !== undefined && value === 'true' ? [into] : [];
  });

const isAggregating = (role: ApiObject): boolean =>
  at(role, 'aggregationRule') !== undefined || goesInto(role).length > 0;

/** What a cluster role is put together from, and into which it goes. */
function Aggregation({ role }: { readonly role: ApiObject }) {
  const resource = useResources(({ resources }) => resources.find((each) => each.resource === 'clusterroles'));
  const { objects } = useLiveObjects(resource && at(role, 'aggregationRule') ? { resource } : undefined);
  const link = (name: string) => (
    <li key={name}>
      <KindLink apiVersion={role.apiVersion ?? ''} kind="ClusterRole" name={name} />
    </li>
  );
  const parts = partsOf(role, objects);
  return (
    <Facts
      facts={[
        [
          'Put together from',
          parts && <ul className={styles.items}>{parts.map(({ metadata }) => link(metadata.name ?? ''))}</ul>,
        ],
        ['Goes into', goesInto(role).length > 0 && <ul className={styles.items}>{goesInto(role).map(link)}</ul>],
      ]}
    />
  );
}

/** A role's rules, or a binding's subjects and role. */
export function describeAccess(object: ApiObject): readonly Description[] {
  if (object.kind === 'Role' || object.kind === 'ClusterRole')
    return [
      ...(object.kind === 'ClusterRole' && isAggregating(object)
        ? [{ title: 'Aggregation', content: <Aggregation role={object} /> }]
        : []),
      { title: 'Rules', content: <Rules rules={asList(object['rules'])} /> },
    ];
  const group = asText(at(object, 'roleRef', 'apiGroup'));
  const role = (
    <Facts
      facts={[
        [
          'Grants',
          <KindLink
            key="r"
            full
            apiVersion={`${group}/v1`}
            kind={asText(at(object, 'roleRef', 'kind'))}
            namespace={object.metadata.namespace}
            name={asText(at(object, 'roleRef', 'name'))}
          />,
        ],
        [
          'In',
          object.kind === 'RoleBinding' ? (
            <KindLink key="n" apiVersion="v1" kind="Namespace" name={object.metadata.namespace ?? ''} />
          ) : (
            'all namespaces, and the cluster itself'
          ),
        ],
      ]}
    />
  );
  return [
    { title: 'Role', content: role },
    { title: 'To', content: <Subjects object={object} /> },
  ];
}
