/** A scenario: a cluster that is made with some objects, and things to try in it. */
import { go, type Step } from '../stores/address.ts';
import { actAs, administrator } from '../stores/identity.ts';
import { perform, type Write } from '../stores/writes.ts';

export interface Try {
  readonly title: string;
  /** What to look at when it was pressed. */
  readonly look: string;
  /** What it writes, if it does. */
  readonly write?: Write;
  run(): void | Promise<unknown>;
}

export interface Scenario {
  /** The objects, as YAML; `{domain}` and `{label}` stand for the names of the cluster's profile. */
  readonly manifests: string;
  /** What the page shows first. */
  readonly start: Step;
  /** What stands there, before anything was tried. */
  readonly about: string;
  readonly tries: readonly Try[];
}

/** What is tried as the administrator, whoever was acted as before. */
export const asAdministrator = (run: Try['run']): Try['run'] => {
  return () => {
    actAs(administrator);
    return run();
  };
};

/** Shows the list of a resource, perhaps with one of its objects in the inspector. */
export function showList(resource: string, ns: string, selected?: string): void {
  const [group = '', plural = ''] = resource.split('/');
  const sel = selected && `object:${resource}/${ns}/${selected}`;
  go({ panel: 'explore', path: [group, plural], query: { ns, sel, tab: undefined } });
}

/** A try that shows something, and then writes as the administrator. */
export function writing(title: string, look: string, show: () => void, sent: Omit<Write, 'label'>): Try {
  const write = { ...sent, label: title };
  const run = asAdministrator(() => {
    show();
    return perform(write);
  });
  return { title, look, write, run };
}
