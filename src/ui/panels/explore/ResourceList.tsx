import { useMemo } from 'preact/compat';
import { cx } from '../../parts/index.ts';
import { hrefOf, useAddress } from '../../stores/address.ts';
import { useResources, type Resource } from '../../stores/resources.ts';
import { useCluster } from '../../stores/session.ts';
import { sectionsOf } from './sections.ts';
import styles from './ResourceList.module.css';

/** What the server serves, in sections. */
export function ResourceList({ current }: { readonly current: Resource | undefined }) {
  const resources = useResources((state) => state.resources);
  const problem = useResources((state) => state.problem);
  const { names } = useCluster();
  const sections = useMemo(() => sectionsOf(resources, names.domain), [resources, names]);
  return (
    <nav className={styles.nav} aria-label="Resource types">
      {problem && <p className={styles.problem}>{problem}</p>}
      {sections.map(({ title, resources: list }) => (
        <section key={title} aria-label={title}>
          <h2 className={styles.title}>{title}</h2>
          <ul>
            {list.map((resource) => (
              <ResourceItem
                key={`${resource.group}/${resource.resource}`}
                resource={resource}
                current={resource === current}
              />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function ResourceItem({ resource, current }: { readonly resource: Resource; readonly current: boolean }) {
  const address = useAddress();
  const href = hrefOf(
    { path: [resource.group || 'core', resource.resource], query: { sel: undefined, tab: undefined } },
    address,
  );
  return (
    <li>
      <a
        href={href}
        className={cx(styles.item, current && styles.current)}
        aria-current={current ? 'page' : undefined}
        title={`${resource.resource}${resource.group && `.${resource.group}`}`}
      >
        {resource.kind}
      </a>
    </li>
  );
}
