import { Check, X } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/compat';
import { CommandsButton } from '../panels/commands/CommandsButton.tsx';
import { cx, IconButton } from '../parts/index.ts';
import { keyOfIdentity, useIdentity } from '../stores/identity.ts';
import { useCluster } from '../stores/session.ts';
import { findScenario } from './list.ts';
import { hideGuide, originOf, useFilling } from './origins.ts';
import type { Scenario, Try } from './scenario.ts';
import styles from './TryThis.module.css';

/** The scenario that a cluster was opened as, once its code is there. */
function useScenario(cluster: string): Scenario | undefined {
  const [scenario, setScenario] = useState<Scenario>();
  useEffect(() => {
    let gone = false;
    void findScenario(originOf(cluster)?.scenario ?? '')
      ?.load()
      .then((loaded) => gone || setScenario(loaded));
    return () => void (gone = true);
  }, [cluster]);
  return scenario;
}

/** A few things to try in a scenario, above the panel where their answers are seen. */
export default function TryThis() {
  const { cluster } = useCluster();
  const scenario = useScenario(cluster.name);
  return scenario && <Tries cluster={cluster.name} scenario={scenario} />;
}

function Tries({ cluster, scenario }: { readonly cluster: string; readonly scenario: Scenario }) {
  const [tried, setTried] = useState<readonly Try[]>([]);
  const filling = useFilling((state) => state.filling);
  const identity = useIdentity(({ current }) => keyOfIdentity(current));
  // As whom the latest was tried: its text speaks of that identity.
  const [actor, setActor] = useState('');
  const latest = tried[0];
  const shown = actor === identity ? latest : undefined;
  const list = useRef<HTMLOListElement>(null);
  // On a phone the list is longer than its line.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [latest]);
  const about = filling ? 'Creating its objects…' : scenario.about;
  const start = (each: Try): void => {
    setTried([each, ...tried.filter((other) => other !== each)]);
    void each.run();
    setActor(keyOfIdentity(useIdentity.getState().current));
  };
  return (
    <section className={styles.guide} aria-label="Try this">
      <h2 className={styles.title}>Try this</h2>
      <ol ref={list} className={styles.tries} tabIndex={0}>
        {scenario.tries.map((each, index) => (
          <li key={each.title}>
            <button
              type="button"
              className={cx(styles.try, each === latest && styles.latest)}
              aria-current={each === latest ? 'step' : undefined}
              disabled={filling}
              onClick={() => start(each)}
            >
              <span className={styles.number}>
                {tried.includes(each) ? <Check className={styles.done} aria-label="Tried" /> : index + 1}
              </span>
              {each.title}
            </button>
          </li>
        ))}
      </ol>
      <IconButton icon={X} label="Hide the list" onClick={() => hideGuide(cluster)} />
      <p className={styles.look} aria-live="polite">
        {shown?.look ?? about}
        {shown?.write && <CommandsButton of={shown.write} />}
      </p>
    </section>
  );
}
