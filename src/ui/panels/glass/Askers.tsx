import { UserRound } from 'lucide-react';
import { useUserName } from '../../stores/requests.ts';
import { useGlass } from './hooks.ts';
import { actorOfUser, kindOfActor, nameOfActor } from './model/actors.ts';
import styles from './Picture.module.css';

const MOST = 6;

/** The people, and programs in pods, who sent requests. */
export function Askers() {
  const { recording } = useGlass().engine;
  const me = actorOfUser(useUserName());
  const people = [...recording.actors].filter((actor) => kindOfActor(actor) === 'person' && actor !== me);
  const shown = [me, ...people.filter((actor) => actor !== 'user:').slice(-MOST + 1)];
  return (
    <section className={styles.askers} aria-label="Who asks">
      <h2 className={styles.heading}>Who asks</h2>
      <ul className={styles.boxes}>
        {shown.map((actor) => (
          <li key={actor} className={styles.box} data-box={`from:${actor}`} title={`Requests as ${nameOfActor(actor)}`}>
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
