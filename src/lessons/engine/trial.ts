/** Follows checks that an author is writing, in the cluster as it stands. */
import { Client } from '../../client/index.ts';
import type { Check, Verdict } from './lesson.ts';
import { Sight } from './sight.ts';
import { OBSERVER, type LessonCluster } from './surroundings.ts';
import { fillWords } from './words.ts';

/** Calls back with what each check comes to, now and whenever that changes; returns what ends it. */
export function tryChecks(
  checks: readonly Check[],
  cluster: LessonCluster,
  changed: (verdicts: readonly Verdict[]) => void,
): () => void {
  const client = new Client({ transport: cluster.transport, names: cluster.names, userAgent: OBSERVER });
  const sight = new Sight(client, cluster);
  let stopped = false;
  const read = (): void => {
    if (!stopped) changed(followed.map(({ verdict }) => verdict));
  };
  const followed = fillWords(checks, cluster.names).map((check) => sight.follow(check, () => queueMicrotask(read)));
  read();
  return () => {
    stopped = true;
    for (const each of followed) each.stop();
    sight.stop();
  };
}
