/** Follows what checks read: caches that watches keep true, the request log, and who may do what. Nothing is asked on a timer. */
import { Informers, type Client, type Informer, type ResourceRef } from '../../client/index.ts';
import { networkResources, networkSettings, NetworkView, viewHandler } from '../../network/index.ts';
import { StatusError, type ApiObject } from '../../schema/index.ts';
import { inBackground } from '../../std/index.ts';
import { judgeAccess } from './access.ts';
import type { AccessCheck, Check, ListCheck, NetworkCheck, ObjectCheck, RequestCheck, Verdict } from './lesson.ts';
import { judgeConnection } from './network.ts';
import { judgeList, judgeObject } from './objects.ts';
import { RequestCounter, RequestReader } from './requests.ts';
import type { LessonCluster } from './surroundings.ts';

/** A check with its present verdict. */
export interface Followed {
  readonly verdict: Verdict;
  /** The task of the check is the next one from now on. */
  begin?(): void;
  stop(): void;
}

const UNKNOWN: Verdict = { holds: false, seen: 'not known yet' };

/** The resource that `apps/v1/deployments` or `v1/pods` names. */
export function resourceRef(text: string, namespaced: boolean): ResourceRef {
  const parts = text.split('/');
  const [resource = '', version = '', group = ''] = parts.reverse();
  return { group, version, resource, kind: '', namespaced };
}

const rbac = (resource: string, namespaced: boolean): ResourceRef =>
  resourceRef(`rbac.authorization.{domain}/v1/${resource}`, namespaced);

/** What decides who may do what. */
const accessResources = [
  rbac('roles', true),
  rbac('rolebindings', true),
  rbac('clusterroles', false),
  rbac('clusterrolebindings', false),
];

/** Everything that the checks of a lesson look at. */
export class Sight {
  readonly #client: Client;
  readonly #informers: Informers;
  readonly #requests = new RequestReader();
  readonly #endTrace: () => void;
  readonly #view: NetworkView;
  #viewFed = false;

  /** With `bodies`, checks look at what answers show, too. */
  constructor(client: Client, cluster: LessonCluster, bodies = false) {
    this.#client = client;
    this.#informers = new Informers({ client, clock: cluster.clock });
    this.#informers.start();
    this.#view = new NetworkView(networkSettings(cluster.names));
    this.#endTrace = cluster.trace(
      (events) => this.#requests.take(events),
      [...(['request', 'watch'] as const), ...(bodies ? (['body'] as const) : [])],
    );
  }

  /** From now on requests of the lesson's own player count, since it shows a solution. */
  countPlayer(): void {
    this.#requests.countsPlayer = true;
  }

  /** Follows a check; `changed` is called when its verdict may be another. */
  follow(check: Check, changed: () => void): Followed {
    switch (check.look) {
      case 'object':
        return this.#object(check, changed);
      case 'list':
        return this.#list(check, changed);
      case 'access':
        return this.#access(check, changed);
      case 'requests':
        return this.#request(check, changed);
      case 'network':
        return this.#network(check, changed);
    }
  }

  stop(): void {
    this.#endTrace();
    this.#informers.stop();
  }

  #informer(resource: string, namespace: string | undefined, more: { labels?: string; name?: string }): Informer {
    return this.#informers.of(resourceRef(resource, namespace !== undefined), {
      ...(namespace !== undefined && { namespace }),
      ...(more.labels !== undefined && { labelSelector: more.labels }),
      ...(more.name !== undefined && { fieldSelector: `metadata.name=${more.name}` }),
    });
  }

  #object(check: ObjectCheck, changed: () => void): Followed {
    const informer = this.#informer(check.resource, check.namespace, { name: check.name });
    return following(informer, changed, (objects) => judgeObject(check, objects[0]));
  }

  #list(check: ListCheck, changed: () => void): Followed {
    const { labels } = check;
    const informer = this.#informer(check.resource, check.namespace, labels === undefined ? {} : { labels });
    return following(informer, changed, (objects) => judgeList(check, objects));
  }

  #access(check: AccessCheck, changed: () => void): Followed {
    let verdict = UNKNOWN;
    let turn = 0;
    const ask = (mine: number): void => {
      if (mine !== turn) return;
      const asking = judgeAccess(this.#client, check).then((judged) => {
        if (mine !== turn) return;
        verdict = judged;
        changed();
      });
      inBackground(asking, (problem) => {
        if (mine !== turn) return;
        verdict = { holds: false, seen: problem instanceof StatusError ? problem.message : String(problem) };
        changed();
      });
    };
    const informers = accessResources.map((ref) => this.#informers.of(ref));
    // Changes that come together are asked about once. Until the answers are there the old verdict counts no more: read
    // beside a new one, it would tell of a cluster that never was.
    const askSoon = (): void => {
      const mine = ++turn;
      verdict = UNKNOWN;
      queueMicrotask(() => ask(mine));
    };
    const ends = informers.map((informer) => informer.on({ added: askSoon, changed: askSoon, deleted: askSoon }));
    askSoon();
    return live(
      () => verdict,
      () => {
        turn++;
        for (const end of ends) end();
      },
    );
  }

  #request(check: RequestCheck, changed: () => void): Followed {
    const counter = new RequestCounter(check, changed, () => this.#requests.revision);
    const followed = live(() => counter.verdict, this.#requests.add(counter));
    return check.anew === true ? Object.assign(followed, { begin: () => counter.restart() }) : followed;
  }

  #network(check: NetworkCheck, changed: () => void): Followed {
    const informers = networkResources.map((ref) => ({ ref, informer: this.#informers.of(ref as ResourceRef) }));
    if (!this.#viewFed) for (const { ref, informer } of informers) informer.on(viewHandler(this.#view, ref.resource));
    this.#viewFed = true;
    const ends = informers.map(({ informer }) => informer.on({ added: changed, changed, deleted: changed }));
    return live(
      () => judgeConnection(check, this.#view),
      () => {
        for (const end of ends) end();
      },
    );
  }
}

/** A verdict that is found anew each time it is read. */
function live(read: () => Verdict, stop: () => void): Followed {
  return {
    get verdict() {
      return read();
    },
    stop,
  };
}

function following(informer: Informer, changed: () => void, judge: (objects: ApiObject[]) => Verdict): Followed {
  const end = informer.on({ added: changed, changed, deleted: changed });
  // An empty list changes nothing, yet what was unknown is known then.
  inBackground(informer.synced.then(changed), () => undefined);
  return live(() => (informer.hasSynced ? judge(informer.list()) : UNKNOWN), end);
}
