import { Section } from '../../parts/index.ts';
import type { ControllersState } from '../../controllers.ts';
import styles from './ControllersPanel.module.css';

interface InformersProps {
  readonly title: string;
  readonly informers: ControllersState['informers'];
  readonly state: ControllersState;
}

/** Caches that controllers share: of all of them, or of one. */
export function Informers({ title, informers, state: { revision } }: InformersProps) {
  return (
    <Section title={title}>
      <p className={styles.about}>
        Caches that controllers share; storage is at revision {revision}. Where nothing of a kind changes, its cache
        stays at the revision of its last change or bookmark.
      </p>
      <div className={styles.scroll} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Collection</th>
              <th scope="col">Synced</th>
              <th scope="col">Objects</th>
              <th scope="col">Revision</th>
              <th scope="col">Behind</th>
            </tr>
          </thead>
          <tbody>
            {informers.map((informer) => (
              <tr key={informer.path}>
                <th scope="row">{informer.path}</th>
                <td>{informer.synced ? 'yes' : 'not yet'}</td>
                <td>{informer.objects}</td>
                <td>{informer.revision}</td>
                <td>{informer.revision === '' ? '' : Math.max(0, revision - Number(informer.revision))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
