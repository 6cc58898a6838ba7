import type { LessonUser } from '../../../lessons/index.ts';
import { Segmented } from '../../parts/index.ts';
import { actAs, administrator, nameOfIdentity, useIdentity } from '../../stores/identity.ts';
import styles from './lesson.module.css';

/** The people of a lesson: one press, and the page asks as one of them. */
export function Users({ users }: { readonly users: readonly LessonUser[] }) {
  const current = useIdentity((state) => nameOfIdentity(state.current));
  if (users.length === 0) return null;
  const choose = (name: string): void => {
    const user = users.find((each) => each.name === name);
    actAs(user ? { kind: 'user', name: user.name, groups: user.groups } : administrator);
  };
  const about = users.find(({ name }) => name === current);
  return (
    <div className={styles.users}>
      <Segmented
        label="Act as"
        value={current}
        choices={[
          { value: 'administrator', label: 'administrator' },
          ...users.map(({ name }) => ({ value: name, label: name })),
        ]}
        onValue={choose}
      />
      <p className={styles.seen}>{about ? `${about.name}: ${about.about}` : 'You act as the administrator.'}</p>
    </div>
  );
}
