import { UserRound } from 'lucide-preact';
import { userNameOf } from '../../stores/administrator.ts';
import { useIdentity } from '../../stores/identity.ts';
import { useCluster } from '../../stores/session.ts';
import { useGlass } from './hooks.ts';
import { actorOfUser, kindOfActor, nameOfActor, userOfActor, type ActorId } from './model/actors.ts';
import styles from './Picture.module.css';

const MOST = 6;

/** As whom the page asks, by the name that the server knows. */
function useOwnActor(): ActorId {
  const { names } = useCluster();
  const current = useIdentity((state) => state.current);
  return actorOfUser(userNameOf(current, names));
}

/** The people, and programs in pods, who sent requests. */
export function Askers() {
  const { recording } = useGlass().engine;
  const me = useOwnActor();
  const people = [...recording.actors].filter((actor) => kindOfActor(actor) === 'person' && actor !== me);
  const shown = [me, ...people.filter((actor) => actor !== 'user:').slice(-MOST + 1)];
  return (
    <section className={styles.askers} aria-label="Who asks">
      <h2 className={styles.heading}>Who asks</h2>
      <ul className={styles.boxes}>
        {shown.map((actor) => (
          <li
            key={actor}
            className={styles.box}
            data-box={`from:${actor}`}
            title={`Requests of the user ${userOfActor(actor)}`}
          >
            <span className={styles.name}>
              <UserRound className={styles.icon} aria-hidden />
              <span className={styles.cut}>{nameOfActor(actor)}</span>
            </span>
            {actor === me && <span className={styles.note}>you</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
