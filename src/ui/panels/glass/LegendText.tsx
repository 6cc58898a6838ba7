import { stages } from './model/stages.ts';
import { glassView } from '../commands/views.ts';
import styles from './Legend.module.css';

/** What the signs mean, and what each stage does. */
export default function LegendText() {
  return (
    <div className={styles.legend}>
      <ul className={styles.signs}>
        <Sign look={styles.added}>A request that creates</Sign>
        <Sign look={styles.changed}>A request that changes</Sign>
        <Sign look={styles.deleted}>A request that deletes</Sign>
        <Sign look={styles.denied}>Stopped, with the reason beside it</Sign>
        <Sign look={styles.news}>A watch event, on its way to a watcher</Sign>
        <Sign look={styles.pod}>A pod on its node; hollow until it is ready</Sign>
      </ul>
      <dl className={styles.stages}>
        {stages.map(({ stage, title, about }) => (
          <div key={stage}>
            <dt>{title}</dt>
            <dd>{about}</dd>
          </div>
        ))}
        <div>
          <dt>Lag</dt>
          <dd>How many revisions are waiting to be sent to a watcher.</dd>
        </div>
        <div>
          <dt>Background</dt>
          <dd>
            Leases, node heartbeats, events and the reads of components. They come all the time, so they are left out
            unless this is on.
          </dd>
        </div>
        <div>
          <dt>As a command</dt>
          <dd>{glassView}</dd>
        </div>
      </dl>
    </div>
  );
}

function Sign({ look, children }: { readonly look: string | undefined; readonly children: string }) {
  return (
    <li>
      <span className={look} aria-hidden />
      {children}
    </li>
  );
}
