import { Hand } from 'lucide-preact';
import { cx, Empty, Section, StateMark } from '../../../parts/index.ts';
import { go, useAddress } from '../../../stores/address.ts';
import { useBreakpoints } from '../../../stores/breakpoints.ts';
import { BreakpointForm, BreakpointList } from './BreakpointForm.tsx';
import { HeldRequest } from './HeldRequest.tsx';
import styles from './breakpoints.module.css';

/** Where requests are held, which are held, and one of them to look at. */
export default function BreakpointsTab() {
  const held = useBreakpoints((state) => state.held);
  const path = useAddress((address) => address.path);
  const chosen = held.find(({ request }) => request === path[1]) ?? held[0];
  return (
    <div className={styles.beside}>
      <div className={styles.side}>
        {held.length > 0 && (
          <Section title="Held requests">
            <ul className={styles.held} aria-label="Held requests">
              {held.map((each) => (
                <li key={each.request}>
                  <button
                    type="button"
                    className={cx(styles.item, each === chosen && styles.chosen)}
                    aria-current={each === chosen || undefined}
                    onClick={() => go({ path: ['breakpoints', each.request] })}
                  >
                    <StateMark state="pending" text={`${each.verb} ${each.resource}`} />
                    <span className={styles.faint}>
                      {each.user}, before {each.before}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </Section>
        )}
        <BreakpointForm />
        <BreakpointList />
      </div>
      {chosen ? (
        <HeldRequest key={`${chosen.request} ${chosen.before} ${chosen.phase ?? ''}`} held={chosen} />
      ) : (
        <div className={styles.none}>
          <Empty icon={Hand} title="No request is held">
            Set a breakpoint, then send a request that matches it, such as a create from the editor: it waits here
            before the step that you chose, so that you can look at its object, edit it, and let it go.
          </Empty>
        </div>
      )}
    </div>
  );
}
